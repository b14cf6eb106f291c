import explorersPlugin from './plugins/explorers';
import filesPlugin from './plugins/files';
import launcherPlugin from './plugins/launcher';
import notebookPlugin from './plugins/notebook';
import preferencesPlugin from './plugins/preferences';
import runOnOpenPlugin from './plugins/run-on-open';
import sharingPlugin from './plugins/sharing';
import sidebarPlugin from './plugins/sidebar';

export default [
  preferencesPlugin,
  explorersPlugin,
  launcherPlugin,
  sharingPlugin,
  notebookPlugin,
  filesPlugin,
  sidebarPlugin,
  runOnOpenPlugin
];
