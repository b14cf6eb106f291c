// What the page's style sheet says of the roles, as numbers that pixels are mixed from.

type Rgb = [number, number, number];

export interface IColours {
  math: Rgb;
  memory: string;
  current: string;
  guide: string;
  text: string;
  ground: Rgb;
}

/** Read the colours that hold at an element now. */
export function coloursAt(element: Element): IColours {
  const style = getComputedStyle(element);
  const role = (name: string): string =>
    style.getPropertyValue(`--dlp-${name}`).trim();
  return {
    math: rgb(role('math')),
    memory: role('memory'),
    current: role('current'),
    guide: role('guide'),
    text: style.color,
    ground: rgb(role('ground'))
  };
}

/** Any CSS colour as numbers, by painting it. */
function rgb(colour: string): Rgb {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return [r, g, b];
}

/** How much of the math colour a wave has over the ground: later waves have more. */
export function shade(wave: number, waves: number): number {
  const even = waves > 1 ? 0.45 + (0.55 * wave) / (waves - 1) : 0.7;
  // Many waves differ too little from their neighbours: every other one is lighter.
  return waves > 12 ? even - 0.1 * (wave % 2) : even;
}

export function mixed({ math, ground }: IColours, share: number): Rgb {
  return math.map((each, index) =>
    Math.round(share * each + (1 - share) * ground[index])
  ) as Rgb;
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}

/** A colour as one number in the order in which ImageData holds its bytes. */
export function packed([r, g, b]: Rgb): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

export const HATCH = { period: 7, stripe: 2, tint: 0.22 }; // in CSS pixels, as in every other chart
