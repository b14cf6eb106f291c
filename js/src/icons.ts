import { LabIcon } from '@jupyterlab/ui-components';

import layerSvg from '../style/icons/layer.svg';

/** A roofline: the memory slope, the ridge and the flat math roof. */
export const layerIcon = new LabIcon({
  name: 'dlperf-widgets:layer',
  svgstr: layerSvg
});
