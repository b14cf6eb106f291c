import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import { Widget } from '@lumino/widgets';

import { sidebarIcon } from '../icons';
import { copyOfLesson } from '../lessons';
import type { ILesson } from '../records';
import { explorersSection } from '../sidebar/explorers';
import { Glossary } from '../sidebar/glossary';
import { GpuTable } from '../sidebar/gpus';
import { lessonsSection } from '../sidebar/lessons';
import { tellError } from '../tell';
import { IExplorers, IPreferences } from '../tokens';

/** A sidebar with everything that needs no kernel: explorers, lessons, GPUs and a glossary. */
const sidebarPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dlperf-widgets:sidebar',
  description: 'Shows explorers, lessons, GPUs and a glossary beside the work.',
  autoStart: true,
  requires: [IExplorers],
  optional: [IPreferences, ILayoutRestorer, IDefaultFileBrowser, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    { trans }: IExplorers,
    preferences: IPreferences | null,
    restorer: ILayoutRestorer | null,
    browser: IDefaultFileBrowser | null,
    translator: ITranslator | null
  ) => {
    const open = (command: string, args = {}): void =>
      void app.commands.execute(command, args);
    const { languageCode } = translator ?? nullTranslator;
    const glossary = new Glossary(trans, languageCode, explorer =>
      open(explorer.command)
    );
    const gpus = new GpuTable({
      trans,
      units: () => preferences?.choices.units ?? 'GiB',
      dtype: preferences?.choices.dtype ?? '',
      explore: gpu => open('dlperf:open-layer', { gpu: gpu.name })
    });
    preferences?.changed.connect(() => gpus.render());

    const sidebar = new Widget();
    sidebar.id = 'dlperf-sidebar';
    sidebar.addClass('dlp-Sidebar');
    sidebar.title.icon = sidebarIcon;
    sidebar.title.caption = trans.__('GPU performance');
    sidebar.node.setAttribute('role', 'region');
    sidebar.node.setAttribute('aria-label', trans.__('GPU performance'));
    sidebar.node.append(
      explorersSection(trans, explorer => open(explorer.command)),
      lessonsSection(trans, lesson => void openLesson(lesson)),
      gpus.node,
      glossary.node
    );
    app.shell.add(sidebar, 'left', { rank: 600 });
    restorer?.add(sidebar, sidebar.id);

    app.commands.addCommand('dlperf:show-term', {
      label: trans.__('Explain a term of GPU performance'),
      execute: args => {
        app.shell.activateById(sidebar.id);
        glossary.show(typeof args.term === 'string' ? args.term : '');
      }
    });

    async function openLesson(lesson: ILesson): Promise<void> {
      const folder = browser?.model.path ?? '';
      const kernel = preferences?.choices.kernel ?? '';
      try {
        const { serviceManager: services } = app;
        const path = await copyOfLesson(lesson, folder, services, kernel);
        open('docmanager:open', { path });
      } catch (error) {
        const text = trans.__(
          'The lesson could not be opened: %1',
          String(error)
        );
        tellError(text);
      }
    }
  }
};

export default sidebarPlugin;
