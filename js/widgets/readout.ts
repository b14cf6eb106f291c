// What is said of the tile or the turn pointed at, from templates in the user's language.

import { IPlan, ISlot, placeOf, slotsOf } from './plan';
import { ITimelineWords } from './timeline';
import { si } from './time';

/** Templates and sentences that come with a plan. */
export interface IWords extends ITimelineWords {
  matrix: string; // a sentence on the picture of the output
  waves: string; // and on the timeline
  hint: string; // while nothing is pointed at
  tile: string; // with {rows}, {columns} and {slots}
  product: string; // with {product} and {tile}
  slot: string; // with {wave}, {sm}, {start}, {end}
  padding: string; // with {share}
  idle: string; // with {wave} and {sm}
}

export function describeTile(plan: IPlan, words: IWords, tile: number): string {
  const place = placeOf(plan, tile);
  const [rows, columns] = [
    [place.row * plan.tile_m, plan.tile_m, plan.m],
    [place.column * plan.tile_n, plan.tile_n, plan.n]
  ].map(([first, size, end]) => ({ first, last: Math.min(first + size, end) }));
  const span = ({ first, last }: typeof rows): string =>
    first === last - 1 ? `${first}` : `${first}–${last - 1}`;
  const sentence = put(words.tile, {
    rows: span(rows),
    columns: span(columns),
    slots: slotsOf(plan, tile)
      .map(slot => describeSlot(plan, words.slot, slot))
      .join('; ')
  });
  const wanted =
    ((rows.last - rows.first) * (columns.last - columns.first)) /
    (plan.tile_m * plan.tile_n);
  const whole =
    plan.batch > 1
      ? put(words.product, { product: place.product, tile: sentence })
      : sentence;
  return wanted < 1
    ? `${whole} ${put(words.padding, { share: percent(1 - wanted) })}`
    : whole;
}

export function describeIdle(plan: IPlan, words: IWords, slot: ISlot): string {
  return describeSlot(plan, words.idle, slot);
}

function describeSlot(
  plan: IPlan,
  template: string,
  { wave, sm }: ISlot
): string {
  return put(template, {
    wave: wave + 1,
    sm,
    start: si(wave * plan.wave_time),
    end: si((wave + 1) * plan.wave_time)
  });
}

function put(
  template: string,
  values: Record<string, string | number>
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => `${values[name]}`);
}

function percent(share: number): string {
  return share < 0.01
    ? '<1%'
    : share > 0.99
      ? '>99%'
      : `${Math.round(share * 100)}%`;
}
