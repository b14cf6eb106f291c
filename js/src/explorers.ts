import type { LabIcon } from '@jupyterlab/ui-components';

import { ICONS, layerIcon } from './icons';
import { type IExplorerRecord, RECORDS } from './records';

/** What the launcher, the palette and a panel need to know about an explorer. */
export interface IExplorer extends IExplorerRecord {
  /** The command that opens it. */
  readonly command: string;
  readonly icon: LabIcon;
}

/** Every explorer of the Python package, in the order of the launcher's cards. */
export const EXPLORERS: readonly IExplorer[] = RECORDS.explorers.map(
  record => ({
    ...record,
    command: `dlperf:open-${record.slug}`,
    icon: ICONS[record.slug] ?? layerIcon
  })
);

/** The explorer of a name; undefined where this version knows none. */
export function findExplorer(slug: string): IExplorer | undefined {
  return EXPLORERS.find(explorer => explorer.slug === slug);
}
