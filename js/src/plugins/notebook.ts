import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { type Cell, CodeCell } from '@jupyterlab/cells';
import {
  INotebookTracker,
  NotebookActions,
  type NotebookPanel
} from '@jupyterlab/notebook';
import { addBelowIcon, launchIcon } from '@jupyterlab/ui-components';

import { ExplorerLink } from '../comm';
import { findExplorer } from '../explorers';
import { explorerModels } from '../outputs';
import { explorerOf } from '../state';
import { tellError } from '../tell';
import { IExplorers } from '../tokens';
import { within } from '../waiting';

/** How long a notebook's kernel may take to tell what its explorer shows: it may be running a cell. */
const PATIENCE = 10_000;

/** Carries explorers from panels to notebooks and back. */
const notebookPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dlperf-widgets:notebook',
  description:
    'Inserts explorers into notebooks, and opens those of notebooks.',
  autoStart: true,
  requires: [IExplorers, INotebookTracker],
  activate: (
    app: JupyterFrontEnd,
    explorers: IExplorers,
    notebooks: INotebookTracker
  ) => {
    addInsert(app, explorers, notebooks);
    addOpen(app, explorers, notebooks);
  }
};

export default notebookPlugin;

function addInsert(
  app: JupyterFrontEnd,
  explorers: IExplorers,
  notebooks: INotebookTracker
): void {
  const { commands } = app;
  const { trans } = explorers;
  const id = 'dlperf:insert-into-notebook';
  commands.addCommand(id, {
    label: trans.__('Insert into notebook'),
    caption: () =>
      notebooks.currentWidget
        ? trans.__(
            'Add a cell with this scenario to %1',
            notebooks.currentWidget.title.label
          )
        : trans.__('Open a notebook first: the cell goes below its active one'),
    icon: addBelowIcon,
    isEnabled: args =>
      Boolean(notebooks.currentWidget && explorers.find(args.panel)?.python),
    execute: args => {
      const python = explorers.find(args.panel)?.python;
      if (notebooks.currentWidget && python) {
        insert(notebooks.currentWidget, python);
        app.shell.activateById(notebooks.currentWidget.id);
      }
    }
  });
  const changed = (): void => commands.notifyCommandChanged(id);
  explorers.changed.connect(changed);
  notebooks.currentChanged.connect(changed);
}

function insert(notebook: NotebookPanel, python: string): void {
  NotebookActions.insertBelow(notebook.content);
  notebook.content.activeCell?.model.sharedModel.setSource(python);
}

function addOpen(
  app: JupyterFrontEnd,
  explorers: IExplorers,
  notebooks: INotebookTracker
): void {
  const { trans } = explorers;
  const id = 'dlperf:open-in-panel';
  const target = (): CodeCell | null => {
    const hit = app.contextMenuHitTest(node =>
      node.classList.contains('dlp-explorer')
    );
    const cells = notebooks.currentWidget?.content.widgets ?? [];
    const cell =
      cells.find(cell => hit && cell.node.contains(hit)) ??
      notebooks.activeCell;
    return withExplorer(cell);
  };
  app.commands.addCommand(id, {
    label: trans.__('Open in panel'),
    caption: trans.__('Open this explorer in a panel with a kernel of its own'),
    icon: launchIcon,
    isVisible: () => target() !== null,
    execute: async () => {
      const cell = target();
      const panel = notebooks.currentWidget;
      if (!cell || !panel) {
        return;
      }
      try {
        const state = await stateOf(cell, panel);
        const explorer = findExplorer(explorerOf(state));
        if (explorer) {
          explorers.open({ explorer, state });
        }
      } catch {
        tellError(
          trans.__(
            "The notebook's kernel does not tell what this explorer shows. Run its cell again, or wait until the kernel is idle."
          )
        );
      }
    }
  });
  const changed = (): void => app.commands.notifyCommandChanged(id);
  notebooks.activeCellChanged.connect(changed);
  NotebookActions.executed.connect(changed);
}

/** A cell that shows an explorer, else null. */
function withExplorer(cell: Cell | null): CodeCell | null {
  return cell instanceof CodeCell &&
    explorerModels(cell.model.outputs).length > 0
    ? cell
    : null;
}

/** The state of a cell's explorer, as the notebook's kernel tells it. */
async function stateOf(cell: CodeCell, panel: NotebookPanel): Promise<string> {
  const kernel = panel.sessionContext.session?.kernel;
  const [id] = explorerModels(cell.model.outputs);
  if (!kernel || id === undefined) {
    throw new Error('no kernel');
  }
  const link = new ExplorerLink(kernel, id);
  try {
    await within(PATIENCE, link.ready);
    return link.state;
  } finally {
    link.dispose();
  }
}
