import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { ServiceManager } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { IPreferences } from './tokens';

/** What every panel of a page shares. */
export interface ISurroundings {
  readonly services: ServiceManager.IManager;
  readonly rendermime: IRenderMimeRegistry;
  readonly trans: TranslationBundle;
  /** The language that the page is in, such as `zh_CN`. */
  readonly language: string;
  readonly preferences: IPreferences | null;
  readonly showTerm: (name: string) => void;
}
