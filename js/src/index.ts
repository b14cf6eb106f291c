import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette, MainAreaWidget } from '@jupyterlab/apputils';
import { ILauncher } from '@jupyterlab/launcher';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { UUID } from '@lumino/coreutils';

import { EXPLORERS, type IExplorer } from './explorers';
import { ExplorerPanel } from './panel';
import runOnOpenPlugin from './run-on-open';

/** The heading of the explorers in the launcher and in the command palette. */
const CATEGORY = 'GPU performance';

function createTab(
  explorer: IExplorer,
  app: JupyterFrontEnd,
  rendermime: IRenderMimeRegistry
): MainAreaWidget<ExplorerPanel> {
  const content = new ExplorerPanel(explorer, app.serviceManager, rendermime);
  const tab = new MainAreaWidget({ content });
  tab.id = `dlperf-explorer-${UUID.uuid4()}`;
  tab.title.label = explorer.label;
  tab.title.caption = explorer.caption;
  tab.title.icon = explorer.icon;
  tab.title.closable = true;
  return tab;
}

function addOpenCommand(
  explorer: IExplorer,
  app: JupyterFrontEnd,
  rendermime: IRenderMimeRegistry
): void {
  app.commands.addCommand(explorer.command, {
    label: explorer.label,
    caption: explorer.caption,
    icon: explorer.icon,
    execute: () => {
      const tab = createTab(explorer, app, rendermime);
      app.shell.add(tab, 'main');
      return tab;
    }
  });
}

const explorersPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dlperf-widgets:explorers',
  description:
    'Opens the explorers of dlperf_widgets, each with a kernel of its own.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  optional: [ILauncher, ICommandPalette],
  activate: (
    app: JupyterFrontEnd,
    rendermime: IRenderMimeRegistry,
    launcher: ILauncher | null,
    palette: ICommandPalette | null
  ) => {
    EXPLORERS.forEach((explorer, rank) => {
      addOpenCommand(explorer, app, rendermime);
      launcher?.add({ command: explorer.command, category: CATEGORY, rank });
      palette?.addItem({ command: explorer.command, category: CATEGORY });
    });
  }
};

export default [explorersPlugin, runOnOpenPlugin];
