// What needs no page: how a chart's places are packed, and which ticks have room for their labels.

import { IShape, labelled, unpack } from '../chart-data';

const SHAPES: IShape[] = [
  { name: 'a', kind: 'line', style: '' },
  { name: 'b', kind: 'bubbles', style: '' },
  { name: 'c', kind: 'dots', style: '' }
];

/** Bytes as they come in a message: not at a multiple of four. */
function packed(numbers: number[]): DataView {
  const bytes = new Uint8Array(3 + 4 * numbers.length);
  bytes.set(new Uint8Array(new Float32Array(numbers).buffer), 3);
  return new DataView(bytes.buffer, 3);
}

describe('unpack', () => {
  it('gives each shape its places, and bubbles their radii', () => {
    const counts = [2, 1, 0];
    const places = unpack(
      SHAPES,
      packed([...counts, 0, 1, 0.25, 0.75, 0.5, 0.5, 20])
    );
    expect(places.map(({ x }) => [...x])).toEqual([[0, 1], [0.5], []]);
    expect(places.map(({ y }) => [...y])).toEqual([[0.25, 0.75], [0.5], []]);
    expect(places.map(({ radii }) => [...radii])).toEqual([[], [20], []]);
  });

  it('copies: a dot in hand is moved without changing what Python said', () => {
    const numbers = packed([1, 0.5, 0.5]);
    unpack(SHAPES.slice(2), numbers)[0].x[0] = 0.9;
    expect([...unpack(SHAPES.slice(2), numbers)[0].x]).toEqual([0.5]);
  });

  it('takes what an older message lacks for nothing', () => {
    expect(unpack(SHAPES, packed([])).map(({ x }) => x.length)).toEqual([
      0, 0, 0
    ]);
  });
});

describe('labelled', () => {
  const ticks = ['1', '10', '100', '1k', '10k'].map(
    (label, index): [number, string] => [index / 4, label]
  );

  it('keeps every label that has room', () => {
    expect(labelled(ticks, 600)).toEqual(ticks);
  });

  it('labels every second one where they would lie on each other', () => {
    expect(labelled(ticks, 80).map(([, label]) => label)).toEqual([
      '1',
      '100',
      '10k'
    ]);
  });

  it('keeps the first of names that all collide', () => {
    const names: [number, string][] = [
      [0.4, 'a long name'],
      [0.5, 'another one']
    ];
    expect(labelled(names, 100)).toEqual([names[0]]);
  });
});
