import type { TranslationBundle } from '@jupyterlab/translation';

import { button, element, link } from '../dom';
import { type IGpu, RECORDS } from '../records';
import { matches } from '../search';
import { memory, type MemoryUnit, si } from '../units';
import { countLine, searchField, section } from './parts';

/** What the table needs to know, and what it can do. */
export interface IGpuTable {
  readonly trans: TranslationBundle;
  readonly units: () => MemoryUnit;
  /** The number format that is shown first. */
  readonly dtype: string;
  readonly explore: (gpu: IGpu) => void;
}

/** The known GPUs: dense peak and ops:byte ratio in one format, everything else a click away. */
export class GpuTable {
  constructor(private readonly _options: IGpuTable) {
    const { trans, dtype } = _options;
    const search = searchField(trans.__('Search GPUs'), query => {
      this._query = query;
      this.render();
    });
    this._format.className = 'jp-mod-styled';
    this._format.setAttribute('aria-label', trans.__('Number format'));
    this._format.append(...RECORDS.dtypes.map(name => element('option', name)));
    this._format.value = RECORDS.dtypes.includes(dtype) ? dtype : 'FP16';
    this._format.addEventListener('change', () => this.render());
    const bar = element('div', search, this._format);
    bar.className = 'dlp-Bar';
    const scroll = element('div', this._table);
    scroll.className = 'dlp-Scroll';
    this.node = section(trans.__('GPUs'), bar, this._count, scroll);
    this.render();
  }

  readonly node: HTMLDetailsElement;

  /** Shows what is asked for, in the units that are chosen now. */
  render(): void {
    const { trans } = this._options;
    const shown = RECORDS.gpus.filter(gpu =>
      matches(this._query, gpu.name, gpu.architecture)
    );
    this._count.textContent = trans.__(
      '%1 of %2',
      shown.length,
      RECORDS.gpus.length
    );
    const body = element('tbody', ...shown.flatMap(gpu => this._rows(gpu)));
    this._table.replaceChildren(this._head(), body);
  }

  private _head(): HTMLElement {
    const { trans } = this._options;
    const titles = [
      trans.__('GPU'),
      trans.__('Memory'),
      trans.__('Bandwidth'),
      trans.__('Peak'),
      trans.__('ops:byte')
    ];
    const cells = titles.map(title => {
      const cell = element('th', title);
      cell.scope = 'col';
      return cell;
    });
    return element('thead', element('tr', ...cells));
  }

  private _rows(gpu: IGpu): HTMLElement[] {
    const peak = gpu.peaks[this._format.value];
    const ratio = gpu.ratios[this._format.value];
    const details = element('tr', this._details(gpu));
    details.hidden = true;
    const name = button(gpu.name, () => {
      details.hidden = !details.hidden;
      name.setAttribute('aria-expanded', String(!details.hidden));
    });
    name.className = 'dlp-Reveal';
    name.setAttribute('aria-expanded', 'false');
    const head = element('th', name);
    head.scope = 'row';
    const row = element(
      'tr',
      head,
      element('td', memory(gpu.memory, this._options.units())),
      element('td', si(gpu.bandwidth, 'B/s')),
      element('td', peak === undefined ? '–' : si(peak, 'FLOPS')),
      element('td', ratio === undefined ? '–' : String(Math.round(ratio)))
    );
    return [row, details];
  }

  private _details(gpu: IGpu): HTMLTableCellElement {
    const { trans, explore } = this._options;
    const peaks = Object.entries(gpu.peaks).map(([dtype, peak]) => {
      const where = gpu.tensor.includes(dtype)
        ? trans.__('Tensor Cores')
        : trans.__('CUDA cores');
      const ratio = `${gpu.ratios[dtype]} FLOPS/byte`;
      return element(
        'li',
        `${dtype}: ${si(peak, 'FLOPS')} (${where}), ${ratio}`
      );
    });
    const sources = gpu.sources.map(({ title, address }) =>
      element('li', address ? link(title, address) : title)
    );
    const cell = element(
      'td',
      element('p', trans.__('%1, dense peaks:', gpu.architecture)),
      element('ul', ...peaks),
      element('p', trans.__('Sources:')),
      element('ul', ...sources),
      button(trans.__('Explore a layer on it'), () => explore(gpu))
    );
    cell.colSpan = 5;
    return cell;
  }

  private readonly _count = countLine();
  private readonly _format = element('select');
  private _query = '';
  private readonly _table = element('table');
}
