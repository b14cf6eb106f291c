import {
  ILabShell,
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { WidgetTracker } from '@jupyterlab/apputils';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';

import { EXPLORERS, findExplorer } from '../explorers';
import { type ExplorerTab, LabHome, NotebookHome } from '../home';
import { Explorers } from '../registry';
import { IExplorers, IPreferences } from '../tokens';

/** Opens the explorer that its arguments name: what the layout of a page is restored with. */
const OPEN = 'dlperf:open';

/** Makes explorer panels, a command for each, and restores them when the page is loaded again. */
const explorersPlugin: JupyterFrontEndPlugin<IExplorers> = {
  id: 'dlperf-widgets:explorers',
  description:
    'Opens the explorers of dlperf_widgets, each with a kernel of its own.',
  autoStart: true,
  provides: IExplorers,
  requires: [IRenderMimeRegistry],
  optional: [IPreferences, ILabShell, ILayoutRestorer, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    rendermime: IRenderMimeRegistry,
    preferences: IPreferences | null,
    lab: ILabShell | null,
    restorer: ILayoutRestorer | null,
    translator: ITranslator | null
  ) => {
    const { commands, serviceManager: services } = app;
    const { languageCode } = translator ?? nullTranslator;
    const tracker = new WidgetTracker<ExplorerTab>({
      namespace: 'dlperf-explorers'
    });
    const around = {
      services,
      rendermime,
      preferences,
      trans: (translator ?? nullTranslator).load('dlperf_widgets'),
      language: languageCode.replace('-', '_'),
      showTerm: (term: string) =>
        void commands.execute('dlperf:show-term', { term })
    };
    const home = lab ? new LabHome(app, tracker) : new NotebookHome(app);
    const explorers = new Explorers(app, around, home);
    addCommands(app, explorers);
    void restorer?.restore(tracker, {
      command: OPEN,
      args: toRestore,
      name: tab => tab.id
    });
    return explorers;
  }
};

export default explorersPlugin;

function addCommands(app: JupyterFrontEnd, explorers: IExplorers): void {
  const { trans } = explorers;
  for (const explorer of EXPLORERS) {
    app.commands.addCommand(explorer.command, {
      label: trans.__(explorer.title),
      caption: trans.__(explorer.caption),
      icon: explorer.icon,
      describedBy: {
        args: { type: 'object', properties: { gpu: { type: 'string' } } }
      },
      execute: args =>
        explorers.open({
          explorer,
          defaults: typeof args.gpu === 'string' ? { gpu: args.gpu } : {}
        })
    });
  }
  app.commands.addCommand(OPEN, {
    label: trans.__('Open an explorer with a scenario'),
    execute: args => {
      const { slug, state, path } = args as Record<string, string | undefined>;
      const explorer = findExplorer(slug ?? '');
      return explorer && explorers.open({ explorer, state, path });
    }
  });
}

function toRestore(tab: ExplorerTab): ReadonlyPartialJSONObject {
  const { explorer, state, path } = tab.content;
  return { slug: explorer.slug, state, path };
}
