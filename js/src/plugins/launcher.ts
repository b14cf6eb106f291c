import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { ILauncher } from '@jupyterlab/launcher';
import { IMainMenu } from '@jupyterlab/mainmenu';
import { Menu } from '@lumino/widgets';

import { EXPLORERS } from '../explorers';
import { IExplorers } from '../tokens';

/** What can be done with the explorer in front, from the palette too. */
const ACTIONS = [
  'dlperf:insert-into-notebook',
  'dlperf:copy-python',
  'dlperf:copy-link',
  'dlperf:save-as-file',
  'dlperf:open-in-panel'
];

/** Offers every explorer in the launcher, in the command palette and in the menu File, New. */
const launcherPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dlperf-widgets:launcher',
  description:
    'Lists the explorers in the launcher, the command palette and the menu.',
  autoStart: true,
  requires: [IExplorers],
  optional: [ILauncher, ICommandPalette, IMainMenu],
  activate: (
    app: JupyterFrontEnd,
    { trans }: IExplorers,
    launcher: ILauncher | null,
    palette: ICommandPalette | null,
    menu: IMainMenu | null
  ) => {
    const category = trans.__('GPU performance');
    const submenu = new Menu({ commands: app.commands });
    submenu.title.label = category;
    EXPLORERS.forEach(({ command }, rank) => {
      launcher?.add({ command, category, rank });
      palette?.addItem({ command, category });
      submenu.addItem({ command });
    });
    ACTIONS.forEach(command => palette?.addItem({ command, category }));
    menu?.fileMenu.newMenu.addGroup([{ type: 'submenu', submenu }]);
  }
};

export default launcherPlugin;
