import {
  IRouter,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { Clipboard } from '@jupyterlab/apputils';
import { codeIcon, linkIcon } from '@jupyterlab/ui-components';

import { findExplorer } from '../explorers';
import { linkedIn, linkTo, PARAMETER, withoutLink } from '../link-address';
import type { ExplorerPanel } from '../panel';
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
    ({ explorer: { slug }, state }) =>
      state && linkTo(explorers.home.page, { slug, state })
  );
}

function openLinks(
  app: JupyterFrontEnd,
  explorers: IExplorers,
  router: IRouter
): void {
  const { home, trans } = explorers;
  const command = 'dlperf:open-link';
  app.commands.addCommand(command, {
    label: trans.__('Open the explorer in the address of the page'),
    execute: async args => {
      const { path, search, hash } = args as unknown as IRouter.ILocation;
      await home.ready;
      if (!home.keepsAddress) {
        // Once is enough: a page that is loaded again restores its explorers.
        const rest = `${path ?? ''}${withoutLink(search ?? '')}${hash ?? ''}`;
        router.navigate(rest, { skipRouting: true });
      }
      try {
        const linked = linkedIn(search ?? '');
        const explorer = linked && findExplorer(linked.slug);
        if (!linked || !explorer) {
          throw new Error();
        }
        const { state, gpu, session } = linked;
        explorers.open({
          explorer,
          state,
          defaults: gpu ? { gpu } : {},
          path: home.keepsAddress ? session : undefined
        });
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
