import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { type ISignal, Signal } from '@lumino/signaling';

import { type IChoices, IPreferences, NO_CHOICES } from '../tokens';

/** The schema of the settings has this name as well. */
const ID = 'dlperf-widgets:settings';

class Preferences implements IPreferences {
  get choices(): IChoices {
    return this._choices;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  follow(settings: ISettingRegistry.ISettings): void {
    const read = (): void => {
      this._choices = {
        ...NO_CHOICES,
        ...(settings.composite as unknown as Partial<IChoices>)
      };
      this._changed.emit();
    };
    settings.changed.connect(read);
    read();
  }

  private readonly _changed = new Signal<this, void>(this);
  private _choices = NO_CHOICES;
}

/** Follows what the user chooses in the settings. */
const preferencesPlugin: JupyterFrontEndPlugin<IPreferences> = {
  id: ID,
  description:
    'What the explorers start with, and how they explain themselves.',
  autoStart: true,
  provides: IPreferences,
  optional: [ISettingRegistry],
  activate: async (_: JupyterFrontEnd, registry: ISettingRegistry | null) => {
    const preferences = new Preferences();
    if (registry) {
      preferences.follow(await registry.load(ID));
    }
    return preferences;
  }
};

export default preferencesPlugin;
