import type { LabIcon } from '@jupyterlab/ui-components';

import { layerIcon } from './icons';

/** What the launcher, the palette and a panel need to know about an explorer. */
export interface IExplorer {
  /** The command that opens it. */
  readonly command: string;
  readonly label: string;
  /** One sentence: the tooltip in the launcher. */
  readonly caption: string;
  readonly icon: LabIcon;
  /** The name of its class in the Python package. */
  readonly className: string;
}

/** Every explorer that JupyterLab offers, in the order of the launcher's cards. */
export const EXPLORERS: readonly IExplorer[] = [
  {
    command: 'dlperf:open-layer',
    label: 'Layer explorer',
    caption:
      'See what limits a layer on a GPU: math, memory or launch, and how its time follows its sizes',
    icon: layerIcon,
    className: 'LayerExplorer'
  }
];
