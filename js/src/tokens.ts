import type { MainAreaWidget } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Token } from '@lumino/coreutils';
import type { ISignal } from '@lumino/signaling';
import type { Widget } from '@lumino/widgets';

import type { IExplorer } from './explorers';
import type { ExplorerTab, IHome } from './home';
import type { ExplorerPanel } from './panel';
import type { IDefaults } from './state';
import type { MemoryUnit } from './units';

/** What a panel starts as. */
export interface IStart {
  readonly explorer: IExplorer;
  /** A state to start with, in place of the user's defaults. */
  readonly state?: string;
  /** Defaults that win over the user's. */
  readonly defaults?: Partial<IDefaults>;
  /** The path of the kernel's session, where one may be running from before the page was loaded. */
  readonly path?: string;
  /** Whether the state wins over what such a kernel shows. */
  readonly overrides?: boolean;
  /** Adds a way out to those of a state that is refused. */
  readonly onRefused?: { readonly label: string; readonly run: () => void };
}

/** Makes and opens explorers. */
export interface IExplorers {
  readonly home: IHome;
  readonly trans: TranslationBundle;
  /** A panel to put somewhere; it is known to `find` until it is closed. */
  create(start: IStart): ExplorerPanel;
  /** Opens a tab where the application shows explorers; null if that is on another page. */
  open(start: IStart): ExplorerTab | null;
  /** The panel with an id; without one the panel that is current. */
  find(id: unknown): ExplorerPanel | null;
  /** Emitted when a panel came to be, has closed, or shows or lacks an explorer now. */
  readonly changed: ISignal<IExplorers, void>;
  /** Gives a tab the buttons that every explorer has, but for some. */
  addButtons(
    tab: Widget & { toolbar: MainAreaWidget['toolbar'] },
    panel: ExplorerPanel,
    without?: readonly string[]
  ): void;
}

export const IExplorers = new Token<IExplorers>(
  'dlperf-widgets:IExplorers',
  'Opens explorers of GPU performance, each with a kernel of its own.'
);

/** What the user has chosen in the settings. */
export interface IChoices extends IDefaults {
  readonly kernel: string;
  readonly units: MemoryUnit;
  readonly teaching: boolean;
}

/** The user's choices, live. */
export interface IPreferences {
  readonly choices: IChoices;
  readonly changed: ISignal<IPreferences, void>;
}

export const IPreferences = new Token<IPreferences>(
  'dlperf-widgets:IPreferences',
  'What the user has chosen for the explorers of GPU performance.'
);

export const NO_CHOICES: IChoices = {
  gpu: '',
  dtype: '',
  phases: '',
  launch: '',
  kernel: '',
  units: 'GiB',
  teaching: false
};
