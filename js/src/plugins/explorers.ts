import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import type { MainAreaWidget } from '@jupyterlab/apputils';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';

import { EXPLORERS, findExplorer } from '../explorers';
import type { ExplorerPanel } from '../panel';
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
  optional: [IPreferences, ILayoutRestorer, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    rendermime: IRenderMimeRegistry,
    preferences: IPreferences | null,
    restorer: ILayoutRestorer | null,
    translator: ITranslator | null
  ) => {
    const { commands, serviceManager: services } = app;
    const { languageCode } = translator ?? nullTranslator;
    const explorers = new Explorers(app, {
      services,
      rendermime,
      preferences,
      trans: (translator ?? nullTranslator).load('dlperf_widgets'),
      language: languageCode.replace('-', '_'),
      showTerm: term => void commands.execute('dlperf:show-term', { term })
    });
    addCommands(app, explorers);
    void restorer?.restore(explorers.tracker, {
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

function toRestore(
  tab: MainAreaWidget<ExplorerPanel>
): ReadonlyPartialJSONObject {
  const { explorer, state, path } = tab.content;
  return { slug: explorer.slug, state, path };
}
