import type { ISessionContext } from '@jupyterlab/apputils';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';

/**
 * Lets `rendermime` draw the ipywidgets that live in the session's kernel.
 *
 * The widget manager of JupyterLab is imported only here, when a panel opens: it is not needed before.
 */
export async function connectWidgets(
  sessionContext: ISessionContext,
  rendermime: IRenderMimeRegistry
): Promise<IDisposable> {
  const { registerWidgetManager } =
    await import('@jupyter-widgets/jupyterlab-manager');
  type Context = Parameters<typeof registerWidgetManager>[0];
  const context = documentContext(sessionContext) as unknown as Context;
  const manager = registerWidgetManager(context, rendermime, [].values());
  // It registers itself in promise callbacks; a task runs after all of these.
  await new Promise(resolve => setTimeout(resolve, 0));
  return manager;
}

/**
 * What a widget manager asks of a notebook document, without a notebook.
 *
 * It looks for saved widgets in the metadata, finds none, and never has any to save.
 */
function documentContext(sessionContext: ISessionContext): object {
  const model = {
    dirty: false,
    getMetadata: () => undefined,
    setMetadata: () => undefined
  };
  return {
    sessionContext,
    path: sessionContext.path,
    model,
    saveState: new Signal<object, string>(model)
  };
}
