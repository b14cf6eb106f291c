// The output in its tiles, pixel by pixel: a picture of a million tiles costs no more than one of ten.

import { HATCH, IColours, mixed, packed, shade } from './colours';
import { IAxis, ILayout, locate } from './layout';
import { IPlan, waveOf } from './plan';

/** What each pixel along an axis shows. */
interface IRuler {
  cell: Int32Array; // -1 in a gap between products
  tile: Int32Array;
  padding: Uint8Array;
  line: Uint8Array; // the edge between two tiles
}

const LEAST_LINED = 5; // CSS pixels of a tile that is worth an edge
const MOST_FRAMED = 100; // products

/** Paint the output's tiles, `layout` and canvas in device pixels, `scale` of them a CSS pixel. */
export function paintMatrix(
  context: CanvasRenderingContext2D,
  plan: IPlan,
  { across, down }: ILayout,
  colours: IColours,
  scale: number
): void {
  const { width, height } = context.canvas;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const [columns, rows] = [
    ruler(across, width, scale),
    ruler(down, height, scale)
  ];
  const hatch = hatching(colours, scale);
  const palette = waveColours(plan, colours);
  const line = new Uint32Array(width);
  let [cell, tile] = [-1, -1];
  for (let y = 0; y < height; y++) {
    if (rows.cell[y] < 0 || rows.line[y]) {
      continue;
    }
    if (rows.cell[y] !== cell || rows.tile[y] !== tile) {
      [cell, tile] = [rows.cell[y], rows.tile[y]];
      fillLine(line, plan, columns, cell * across.cells, tile, palette);
    }
    pixels.set(line, y * width);
    for (let x = 0; x < width; x++) {
      if (line[x] && (rows.padding[y] || columns.padding[x])) {
        pixels[y * width + x] = hatch[(x + y) % hatch.length];
      }
    }
  }
  context.putImageData(image, 0, 0);
  frameProducts(context, plan, { across, down }, colours, scale);
}

/** The light shades of early waves need an edge against the ground. */
function frameProducts(
  context: CanvasRenderingContext2D,
  plan: IPlan,
  { across, down }: ILayout,
  colours: IColours,
  scale: number
): void {
  if (plan.batch > MOST_FRAMED) {
    return;
  }
  context.strokeStyle = colours.guide;
  context.lineWidth = 1;
  for (let product = 0; product < plan.batch; product++) {
    const left = (product % across.cells) * (across.cell + across.gap);
    const top = Math.floor(product / across.cells) * (down.cell + down.gap);
    context.strokeRect(
      left / scale + 0.5,
      top / scale + 0.5,
      across.cell / scale - 1,
      down.cell / scale - 1
    );
  }
}

/** One row of pixels, as if nothing were padding; 0 where there is nothing. */
function fillLine(
  line: Uint32Array,
  plan: IPlan,
  columns: IRuler,
  firstProduct: number,
  row: number,
  palette: Uint32Array
): void {
  for (let x = 0; x < line.length; x++) {
    const product = firstProduct + columns.cell[x];
    if (columns.cell[x] < 0 || columns.line[x] || product >= plan.batch) {
      line[x] = 0;
      continue;
    }
    const tile =
      (product * plan.tiles_n + columns.tile[x]) * plan.tiles_m + row;
    line[x] = palette[waveOf(plan, tile)];
  }
}

function ruler(axis: IAxis, length: number, scale: number): IRuler {
  const cell = new Int32Array(length).fill(-1);
  const tile = new Int32Array(length);
  const [padding, line] = [new Uint8Array(length), new Uint8Array(length)];
  const lined = axis.cell / axis.tiles >= LEAST_LINED * scale;
  const thick = Math.round(scale);
  for (let at = 0; at < length; at++) {
    const found = locate(axis, at + 0.5);
    if (!found) {
      continue;
    }
    [cell[at], tile[at]] = [found.cell, found.tile];
    padding[at] = Number(found.padding);
    const before = at - thick;
    const first =
      before < 0 || cell[before] !== cell[at] || tile[before] !== tile[at];
    line[at] = Number(lined && first && found.tile > 0);
  }
  return { cell, tile, padding, line };
}

function waveColours(plan: IPlan, colours: IColours): Uint32Array {
  return Uint32Array.from({ length: plan.waves }, (_, wave) =>
    packed(mixed(colours, shade(wave, plan.waves)))
  );
}

/** The colours along a row of diagonal stripes. */
function hatching(colours: IColours, scale: number): Uint32Array {
  const [stripe, tint] = [1, HATCH.tint].map(share =>
    packed(mixed(colours, share))
  );
  const period = Math.round(HATCH.period * Math.SQRT2 * scale);
  const width = HATCH.stripe * Math.SQRT2 * scale;
  return Uint32Array.from({ length: period }, (_, at) =>
    at < width ? stripe : tint
  );
}
