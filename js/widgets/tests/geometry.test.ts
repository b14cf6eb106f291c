// Geometry that needs no page: which tile is where, when it runs, and what a pixel shows.

import { shade } from '../colours';
import { boxOf, layout, locate, placeAt } from '../layout';
import {
  IPlan,
  moved,
  placeOf,
  slotsOf,
  tileAt,
  tileIn,
  waveOf
} from '../plan';
import { IWords, describeIdle, describeTile } from '../readout';
import { boxOfSlot, frame, slotAt } from '../timeline';
import { nice, si, ticks } from '../time';

/** 1793 x 1793 in tiles of 256 x 128 on 108 SMs: 8 x 15 = 120 tiles, 108 + 12 of them in two waves. */
const PLAN: IPlan = {
  ...{ m: 1793, n: 1793, batch: 1, tile_m: 256, tile_n: 128 },
  ...{ tiles_m: 8, tiles_n: 15, tiles: 120, split: 1, parts: 120 },
  ...{ sms: 108, waves: 2, tail: 12 },
  ...{ wave_time: 50e-6, memory_time: 10e-6, busy_time: 101e-6 }
};
/** Six outputs of 2 x 3 tiles, each split in 4: 144 parts on 108 SMs. */
const BATCH: IPlan = {
  ...PLAN,
  ...{ m: 512, n: 384, batch: 6, tiles_m: 2, tiles_n: 3, tiles: 36 },
  ...{ split: 4, parts: 144, tail: 36 }
};
const WORDS = {
  tile: 'Rows {rows}, columns {columns}: {slots}.',
  product: 'Product {product}: {tile}',
  slot: 'wave {wave} on SM {sm}, {start} to {end}',
  padding: '{share} of this tile is padding.',
  idle: 'SM {sm} idles in wave {wave}.'
} as IWords;

describe.each([PLAN, BATCH])('dealing', plan => {
  const every = Array.from({ length: plan.tiles }, (_, tile) => tile);

  it('numbers each place once', () => {
    expect(every.map(tile => tileAt(plan, placeOf(plan, tile)))).toEqual(every);
  });

  it('finds a tile again in each of its turns', () => {
    for (const tile of every) {
      for (const slot of slotsOf(plan, tile)) {
        expect(tileIn(plan, slot)).toBe(tile);
      }
    }
  });

  it('colours a tile by the wave that completes it', () => {
    for (const tile of every) {
      expect(waveOf(plan, tile)).toBe(slotsOf(plan, tile).at(-1)!.wave);
    }
  });

  it('finds a tile again at the middle of its box', () => {
    const laid = layout(plan, 470, 320);
    for (const tile of every) {
      const [left, top, width, height] = boxOf(laid, placeOf(plan, tile));
      const found = placeAt(plan, laid, left + width / 2, top + height / 2);
      expect(found).toEqual(placeOf(plan, tile));
    }
  });

  it('finds a turn again at the middle of its box', () => {
    const box = frame(plan, 700, 320);
    for (let sm = 0; sm < plan.sms; sm++) {
      const slot = { wave: 1, sm };
      const [left, top, width, height] = boxOfSlot(plan, box, slot);
      expect(slotAt(plan, box, left + width / 2, top + height / 2)).toEqual(
        slot
      );
    }
  });
});

it('deals down the columns: tile 119 is the last of the second wave', () => {
  expect(placeOf(PLAN, 9)).toEqual({ product: 0, row: 1, column: 1 });
  expect(slotsOf(PLAN, 119)).toEqual([{ wave: 1, sm: 11 }]);
  expect(tileIn(PLAN, { wave: 1, sm: 12 })).toBe(-1);
});

it('lays parts of a split tile far apart: 36 tiles are dealt before the second slice begins', () => {
  expect(slotsOf(BATCH, 1).map(({ sm }) => sm)).toEqual([1, 37, 73, 1]);
  expect(slotsOf(BATCH, 1).map(({ wave }) => wave)).toEqual([0, 0, 0, 1]);
});

it('is to scale, fits its box, and marks padding from 1793 of 2048 rows on', () => {
  const { across, down } = layout(PLAN, 470, 320);
  expect(down.cell).toBeCloseTo(320); // 2048 rows
  expect(across.cell).toBeCloseTo(300); // 1920 columns at the same scale
  expect(locate(down, (320 * 1792) / 2048)?.padding).toBe(false);
  expect(locate(down, (320 * 1794) / 2048)?.padding).toBe(true);
  expect(locate(down, 321)).toBeNull();
});

it('stretches a sliver to a third, and tells products apart by gaps', () => {
  const sliver = layout(
    { ...PLAN, ...{ m: 65536, tiles_m: 256, n: 128, tiles_n: 1 } },
    470,
    300
  );
  expect(sliver.across.cell).toBeCloseTo(100);
  const { across, down } = layout(BATCH, 470, 320);
  expect(across.cells * down.cells).toBeGreaterThanOrEqual(6);
  expect(locate(across, across.cell + across.gap / 2)).toBeNull();
});

it('moves by keys, stays at the edges, and goes on to the next product', () => {
  expect(moved(PLAN, 0, 'ArrowRight')).toBe(8);
  expect(moved(PLAN, 8, 'ArrowLeft')).toBe(0);
  expect(moved(PLAN, 0, 'ArrowDown')).toBe(1);
  expect(moved(PLAN, 7, 'ArrowDown')).toBe(7);
  expect(moved(PLAN, 0, 'ArrowUp')).toBe(0);
  expect(moved(PLAN, 0, 'ArrowLeft')).toBe(0);
  expect(moved(PLAN, 119, 'ArrowRight')).toBe(119);
  expect(moved(BATCH, 5, 'ArrowRight')).toBe(7); // from the last column of one to the first of the next
  expect(moved(BATCH, 7, 'ArrowLeft')).toBe(5);
  expect(moved(PLAN, 5, 'Home')).toBe(0);
  expect(moved(PLAN, 5, 'End')).toBe(119);
  expect(moved(PLAN, 5, 'a')).toBeNull();
});

it('says where a tile lies, when it runs and how much of it is padding', () => {
  expect(describeTile(PLAN, WORDS, 9)).toBe(
    'Rows 256–511, columns 128–255: wave 1 on SM 9, 0 to 50 µs.'
  );
  // The corner holds one row and one column of 256 x 128.
  expect(describeTile(PLAN, WORDS, 119)).toBe(
    'Rows 1792, columns 1792: wave 2 on SM 11, 50 µs to 100 µs. >99% of this tile is padding.'
  );
  expect(describeTile(BATCH, WORDS, 7)).toMatch(
    /^Product 1: Rows 256–511.*SM 7/
  );
  expect(describeIdle(PLAN, WORDS, { wave: 1, sm: 50 })).toBe(
    'SM 50 idles in wave 2.'
  );
});

it('writes seconds with three figures and an SI prefix', () => {
  expect([0, 4.759e-5, 1.2346, 9.996e-4, 2.5e-9].map(si)).toEqual([
    ...['0', '47.6 µs', '1.23 s', '1 ms', '2.5 ns']
  ]);
});

it('ticks at round times, as many as fit', () => {
  expect(ticks(101, 5)).toEqual([0, 50, 100]);
  expect(ticks(269, 7)).toEqual([0, 50, 100, 150, 200, 250]);
  expect([0.7, 1, 1.1, 21, 60].map(nice)).toEqual([1, 1, 2, 50, 100]);
});

it('gives neighbouring waves different shades, the last the most', () => {
  for (const waves of [2, 5, 12, 13, 40]) {
    const shades = Array.from({ length: waves }, (_, wave) =>
      shade(wave, waves)
    );
    shades.slice(1).forEach((each, wave) => {
      expect(Math.abs(each - shades[wave])).toBeGreaterThan(0.04);
    });
    expect(Math.max(...shades)).toBeLessThanOrEqual(1);
    expect(Math.min(...shades)).toBeGreaterThan(0.3);
  }
});
