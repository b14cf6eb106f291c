// What Python sends of a product in its tiles, and where each tile is and runs. All numbers of the model
// come from there: here is only the order in which parts are dealt.

export interface IPlan {
  m: number;
  n: number;
  batch: number;
  tile_m: number;
  tile_n: number;
  tiles_m: number;
  tiles_n: number;
  tiles: number;
  split: number;
  parts: number;
  sms: number;
  waves: number;
  tail: number; // parts in the last wave
  wave_time: number; // seconds
  memory_time: number;
  busy_time: number;
}

/** A tile's place: which product of the batch, and its row and column among that product's tiles. */
export interface IPlace {
  product: number;
  row: number;
  column: number;
}

/** A turn of one SM. */
export interface ISlot {
  wave: number;
  sm: number;
}

/** Tiles are numbered down the columns of one product after another. */
export function tileAt(plan: IPlan, place: IPlace): number {
  return (
    (place.product * plan.tiles_n + place.column) * plan.tiles_m + place.row
  );
}

export function placeOf(plan: IPlan, tile: number): IPlace {
  const column = Math.floor(tile / plan.tiles_m);
  return {
    product: Math.floor(column / plan.tiles_n),
    row: tile % plan.tiles_m,
    column: column % plan.tiles_n
  };
}

/** The wave that completes a tile: the one of its last slice along k. */
export function waveOf(plan: IPlan, tile: number): number {
  return Math.floor((tile + (plan.split - 1) * plan.tiles) / plan.sms);
}

/** When and where the slices of a tile run. */
export function slotsOf(plan: IPlan, tile: number): ISlot[] {
  return Array.from({ length: plan.split }, (_, slice) => {
    const part = tile + slice * plan.tiles;
    return { wave: Math.floor(part / plan.sms), sm: part % plan.sms };
  });
}

/** The tile that an SM works on in a wave; -1 where it idles. */
export function tileIn(plan: IPlan, slot: ISlot): number {
  const part = slot.wave * plan.sms + slot.sm;
  return part < plan.parts ? part % plan.tiles : -1;
}

/** Where an arrow key leads. Beyond an edge lies the next product of the batch, if there is one. */
export function moved(plan: IPlan, tile: number, key: string): number | null {
  const { product, row, column } = placeOf(plan, tile);
  const to = (place: IPlace): number =>
    place.product < 0 || place.product >= plan.batch
      ? tile
      : tileAt(plan, place);
  const [bottom, last] = [plan.tiles_m - 1, plan.tiles_n - 1];
  switch (key) {
    case 'ArrowLeft':
      return column > 0
        ? to({ product, row, column: column - 1 })
        : to({ product: product - 1, row, column: last });
    case 'ArrowRight':
      return column < last
        ? to({ product, row, column: column + 1 })
        : to({ product: product + 1, row, column: 0 });
    case 'ArrowUp':
      return to({ product, row: Math.max(row - 1, 0), column });
    case 'ArrowDown':
      return to({ product, row: Math.min(row + 1, bottom), column });
    case 'Home':
      return 0;
    case 'End':
      return plan.tiles - 1;
    default:
      return null;
  }
}
