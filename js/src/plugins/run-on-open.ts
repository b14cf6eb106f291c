import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { type ICodeCellModel, isCodeCellModel } from '@jupyterlab/cells';
import { PageConfig } from '@jupyterlab/coreutils';
import {
  INotebookTracker,
  NotebookActions,
  type NotebookPanel
} from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';

import { tellError } from '../tell';

/** The notebook that the user's own command opens, and asks to run: `dlperf lab` tells the page. */
const RUN_ON_OPEN = 'dlperfRunOnOpen';

/**
 * Runs one notebook, once, when it is opened.
 *
 * Nothing in a notebook can ask for this, nor does trust in it suffice: Jupyter's server signs a notebook
 * without outputs whenever it is saved. Only whoever started the server can name the notebook.
 */
const runOnOpenPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dlperf-widgets:run-on-open',
  description: 'Runs the notebook that `dlperf lab` opens.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ITranslator],
  activate: (
    _app: JupyterFrontEnd,
    notebooks: INotebookTracker,
    translator: ITranslator | null
  ) => {
    const trans = (translator ?? nullTranslator).load('dlperf_widgets');
    notebooks.widgetAdded.connect((_, panel) => {
      runOnOpen(panel).catch(error => {
        // Closing the notebook ends what it waits for; that is no error.
        if (!panel.isDisposed) {
          tellError(
            trans.__('The notebook could not run by itself: %1', String(error))
          );
        }
      });
    });
  }
};

export default runOnOpenPlugin;

async function runOnOpen(panel: NotebookPanel): Promise<void> {
  await panel.revealed;
  if (panel.context.path !== PageConfig.getOption(RUN_ON_OPEN)) {
    return;
  }
  await panel.sessionContext.ready;
  const kernel = panel.sessionContext.session?.kernel;
  if (!kernel || (hasRun(panel) && (await hasHistory(kernel)))) {
    return; // The page was reloaded: what it shows lives on in the kernel.
  }
  await NotebookActions.runAll(panel.content, panel.sessionContext);
  await backToTheTop(panel);
}

/** Whether the notebook shows a run, be it of an earlier kernel. */
function hasRun(panel: NotebookPanel): boolean {
  return codeCells(panel).some(cell => cell.executionCount !== null);
}

function codeCells(panel: NotebookPanel): ICodeCellModel[] {
  return [...(panel.model?.cells ?? [])].filter(isCodeCellModel);
}

/** Whether a kernel has run anything since it was started. */
async function hasHistory(kernel: Kernel.IKernelConnection): Promise<boolean> {
  const reply = await kernel.requestHistory({
    hist_access_type: 'range',
    session: 0, // this one
    start: 1,
    stop: 2,
    output: false,
    raw: true
  });
  return reply.content.status === 'ok' && reply.content.history.length > 0;
}

/** Running all cells leaves the last one selected and in view. */
async function backToTheTop(panel: NotebookPanel): Promise<void> {
  if (!panel.isDisposed) {
    panel.content.activeCellIndex = 0;
    await panel.content.scrollToItem(0);
  }
}
