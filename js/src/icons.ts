import { LabIcon } from '@jupyterlab/ui-components';

import compareSvg from '../style/icons/compare.svg';
import gemmSvg from '../style/icons/gemm.svg';
import layerSvg from '../style/icons/layer.svg';
import memoryLimitedSvg from '../style/icons/memory-limited.svg';
import memorySvg from '../style/icons/memory.svg';
import modelSvg from '../style/icons/model.svg';
import occupancySvg from '../style/icons/occupancy.svg';
import precisionSvg from '../style/icons/precision.svg';
import servingSvg from '../style/icons/serving.svg';
import sidebarSvg from '../style/icons/sidebar.svg';
import trainingSvg from '../style/icons/training.svg';

function icon(name: string, svgstr: string): LabIcon {
  return new LabIcon({ name: `dlperf-widgets:${name}`, svgstr });
}

/** A roofline: the memory slope, the ridge and the flat math roof. It also stands for any other explorer. */
export const layerIcon = icon('layer', layerSvg);

export const sidebarIcon = icon('sidebar', sidebarSvg);

/** One picture for each explorer, by its slug. */
export const ICONS: Readonly<Record<string, LabIcon>> = {
  layer: layerIcon,
  gemm: icon('gemm', gemmSvg),
  'memory-limited': icon('memory-limited', memoryLimitedSvg),
  model: icon('model', modelSvg),
  memory: icon('memory', memorySvg),
  compare: icon('compare', compareSvg),
  training: icon('training', trainingSvg),
  serving: icon('serving', servingSvg),
  occupancy: icon('occupancy', occupancySvg),
  precision: icon('precision', precisionSvg)
};
