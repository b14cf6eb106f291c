// Where the products of a batch lie in a box of pixels, side by side, and what each pixel shows.

import type { IPlace, IPlan } from './plan';

/** One axis of the picture: equal cells, one a product, with gaps between. In pixels. */
export interface IAxis {
  cell: number; // of one product, padding included
  gap: number;
  cells: number;
  tiles: number; // in a cell
  wanted: number; // share of a cell that is output, the rest is padding
}

export interface ILayout {
  across: IAxis;
  down: IAxis;
}

const STRETCH = 3; // the most that a picture is longer than wide, and the reverse

/** Lay out a plan in a box, as large as fits and to scale unless that would leave a sliver. */
export function layout(plan: IPlan, width: number, height: number): ILayout {
  const [padded_m, padded_n] = [
    plan.tiles_m * plan.tile_m,
    plan.tiles_n * plan.tile_n
  ];
  const ratio = clamp(padded_n / padded_m, 1 / STRETCH, STRETCH);
  const columns = bestColumns(plan.batch, ratio, width / height);
  const rows = Math.ceil(plan.batch / columns);
  const share = plan.batch > 1 ? 0.08 : 0; // of a cell, to tell products apart
  const unit = Math.min(
    width / (ratio * (columns + share * (columns - 1))),
    height / (rows + share * (rows - 1))
  );
  const axis = (
    cells: number,
    cell: number,
    tiles: number,
    wanted: number
  ): IAxis => ({
    cell,
    gap: share * cell,
    cells,
    tiles,
    wanted
  });
  return {
    across: axis(columns, ratio * unit, plan.tiles_n, plan.n / padded_n),
    down: axis(rows, unit, plan.tiles_m, plan.m / padded_m)
  };
}

/** How many products stand side by side so that their box fills most of another. */
function bestColumns(batch: number, ratio: number, box: number): number {
  const guess = Math.sqrt((batch * box) / ratio);
  const size = (columns: number): number =>
    Math.min(box / (ratio * columns), 1 / Math.ceil(batch / columns));
  const choices = [Math.floor(guess), Math.ceil(guess)].map(each =>
    clamp(each, 1, batch)
  );
  return size(choices[0]) > size(choices[1]) ? choices[0] : choices[1];
}

/** What a place on an axis shows: the cell, the tile in it, and whether it is padding; null in a gap. */
export function locate(
  axis: IAxis,
  at: number
): { cell: number; tile: number; padding: boolean } | null {
  const pitch = axis.cell + axis.gap;
  const cell = Math.floor(at / pitch);
  const inside = at - cell * pitch;
  if (cell < 0 || cell >= axis.cells || inside >= axis.cell) {
    return null;
  }
  const share = inside / axis.cell;
  return {
    cell,
    tile: Math.min(Math.floor(share * axis.tiles), axis.tiles - 1),
    padding: share >= axis.wanted
  };
}

/** The tile at a point of the picture, or null. */
export function placeAt(
  plan: IPlan,
  { across, down }: ILayout,
  x: number,
  y: number
): IPlace | null {
  const [column, row] = [locate(across, x), locate(down, y)];
  if (!column || !row) {
    return null;
  }
  const product = row.cell * across.cells + column.cell;
  return product < plan.batch
    ? { product, row: row.tile, column: column.tile }
    : null;
}

/** The box of a tile: left, top, width and height. */
export function boxOf(
  { across, down }: ILayout,
  place: IPlace
): [number, number, number, number] {
  const edge = (axis: IAxis, cell: number, tile: number): number =>
    cell * (axis.cell + axis.gap) + (tile / axis.tiles) * axis.cell;
  const [cellRow, cellColumn] = [
    Math.floor(place.product / across.cells),
    place.product % across.cells
  ];
  return [
    edge(across, cellColumn, place.column),
    edge(down, cellRow, place.row),
    across.cell / across.tiles,
    down.cell / down.tiles
  ];
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
