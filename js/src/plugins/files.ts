import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { WidgetTracker } from '@jupyterlab/apputils';
import type { IDocumentWidget } from '@jupyterlab/docregistry';
import { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { saveIcon } from '@jupyterlab/ui-components';

import { layerIcon } from '../icons';
import { ScenarioFactory } from '../scenario-document';
import { EXTENSION, writeScenarioFile } from '../scenario-file';
import { IExplorers } from '../tokens';

const FILE_TYPE = 'dlperf-scenario';
const FACTORY = 'GPU performance explorer';

/** Opens scenario files in explorers, and saves explorers as scenario files. */
const filesPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dlperf-widgets:files',
  description: 'Opens and saves scenario files (.dlperf.json).',
  autoStart: true,
  requires: [IExplorers],
  optional: [ILayoutRestorer, IDefaultFileBrowser],
  activate: (
    app: JupyterFrontEnd,
    explorers: IExplorers,
    restorer: ILayoutRestorer | null,
    browser: IDefaultFileBrowser | null
  ) => {
    addSave(app, explorers, browser);
    const tracker = addFileType(app, explorers);
    void restorer?.restore(tracker, {
      command: 'docmanager:open',
      args: ({ context }) => ({ path: context.path, factory: FACTORY }),
      name: ({ context }) => context.path
    });
  }
};

export default filesPlugin;

function addFileType(
  app: JupyterFrontEnd,
  explorers: IExplorers
): WidgetTracker<IDocumentWidget> {
  const { trans } = explorers;
  app.docRegistry.addFileType({
    name: FILE_TYPE,
    displayName: trans.__('GPU performance scenario'),
    extensions: [EXTENSION],
    mimeTypes: ['application/json'],
    fileFormat: 'text',
    contentType: 'file',
    icon: layerIcon
  });
  const factory = new ScenarioFactory(
    {
      name: FACTORY,
      label: trans.__('GPU performance explorer'),
      fileTypes: [FILE_TYPE],
      defaultFor: [FILE_TYPE]
    },
    explorers,
    app.commands
  );
  app.docRegistry.addWidgetFactory(factory);
  const tracker = new WidgetTracker<IDocumentWidget>({
    namespace: 'dlperf-scenarios'
  });
  factory.widgetCreated.connect((_, widget) => {
    void tracker.add(widget);
    widget.context.pathChanged.connect(() => void tracker.save(widget));
  });
  return tracker;
}

function addSave(
  app: JupyterFrontEnd,
  explorers: IExplorers,
  browser: IDefaultFileBrowser | null
): void {
  const { commands, serviceManager } = app;
  const { trans } = explorers;
  const id = 'dlperf:save-as-file';
  commands.addCommand(id, {
    label: trans.__('Save as file'),
    caption: trans.__('Save this scenario in a file, and go on in it'),
    icon: saveIcon,
    isEnabled: args => Boolean(explorers.find(args.panel)?.state),
    execute: async args => {
      const state = explorers.find(args.panel)?.state;
      if (!state) {
        return;
      }
      const { contents } = serviceManager;
      const { path } = await contents.newUntitled({
        path: browser?.model.path ?? '',
        type: 'file',
        ext: EXTENSION
      });
      const content = writeScenarioFile(state);
      await contents.save(path, { type: 'file', format: 'text', content });
      await commands.execute('docmanager:open', { path, factory: FACTORY });
    }
  });
  explorers.changed.connect(() => commands.notifyCommandChanged(id));
}
