import {
  IRouter,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { Clipboard } from '@jupyterlab/apputils';
import { PageConfig, URLExt } from '@jupyterlab/coreutils';
import { codeIcon, linkIcon } from '@jupyterlab/ui-components';

import { findExplorer } from '../explorers';
import { linkTo, PARAMETER, stateIn, withoutState } from '../link-address';
import type { ExplorerPanel } from '../panel';
import { explorerOf } from '../state';
import { tellDone, tellError } from '../tell';
import { IExplorers } from '../tokens';

/** Copies an explorer as Python or as a link, and opens such links. */
const sharingPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dlperf-widgets:sharing',
  description: 'Copies an explorer as Python or as a link, and opens links.',
  autoStart: true,
  requires: [IExplorers],
  optional: [IRouter],
  activate: (
    app: JupyterFrontEnd,
    explorers: IExplorers,
    router: IRouter | null
  ) => {
    addCopyCommands(app, explorers);
    if (router) {
      openLinks(app, explorers, router);
    }
  }
};

export default sharingPlugin;

function addCopyCommands(app: JupyterFrontEnd, explorers: IExplorers): void {
  const { trans } = explorers;
  const add = (
    id: string,
    words: { label: string; caption: string; icon: typeof codeIcon },
    text: (panel: ExplorerPanel) => string
  ): void => {
    app.commands.addCommand(id, {
      ...words,
      isEnabled: args => {
        const panel = explorers.find(args.panel);
        return panel !== null && text(panel) !== '';
      },
      execute: args => {
        const panel = explorers.find(args.panel);
        if (panel) {
          Clipboard.copyToSystem(text(panel));
          tellDone(trans.__('Copied.'));
        }
      }
    });
    explorers.changed.connect(() => app.commands.notifyCommandChanged(id));
  };
  add(
    'dlperf:copy-python',
    {
      label: trans.__('Copy as Python'),
      caption: trans.__('Copy the Python that asks this question'),
      icon: codeIcon
    },
    panel => panel.python
  );
  add(
    'dlperf:copy-link',
    {
      label: trans.__('Copy link'),
      caption: trans.__('Copy an address that opens this explorer as it is'),
      icon: linkIcon
    },
    panel => panel.state && linkTo(pageAddress(), panel.state)
  );
}

function pageAddress(): string {
  return URLExt.join(PageConfig.getBaseUrl(), 'lab');
}

function openLinks(
  app: JupyterFrontEnd,
  explorers: IExplorers,
  router: IRouter
): void {
  const { trans } = explorers;
  const command = 'dlperf:open-link';
  app.commands.addCommand(command, {
    label: trans.__('Open the explorer in the address of the page'),
    execute: async args => {
      const { path, search, hash } = args as unknown as IRouter.ILocation;
      await app.restored;
      // Once is enough: a page that is loaded again restores its explorers.
      const rest = `${path ?? ''}${withoutState(search ?? '')}${hash ?? ''}`;
      router.navigate(rest, { skipRouting: true });
      try {
        const state = stateIn(search ?? '');
        const explorer = state && findExplorer(explorerOf(state));
        if (!state || !explorer) {
          throw new Error();
        }
        explorers.open({ explorer, state });
      } catch {
        tellError(
          trans.__(
            'This link to an explorer is damaged, or of another version.'
          )
        );
      }
    }
  });
  router.register({ command, pattern: new RegExp(`[?&]${PARAMETER}=`) });
}
