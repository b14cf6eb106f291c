// What Python says of a chart: what each shape is, and where its points stand.

/** Texts, or notes on dots, of each shape. */
export type IWords = string[][];

export interface IAxis {
  label: string;
  ticks: [number, string][]; // shares of the length, and labels
}

export interface IShape {
  name: string;
  kind: 'line' | 'area' | 'dots' | 'bubbles' | 'text';
  style: string;
  outline?: string; // of a symbol
  grow?: number; // how far the outline is enlarged
  drag?: string; // what a dot that can be moved is called
  anchor?: string;
  shift?: [number, number]; // pixels right of and below the point
}

/** Shares of the picture's width and height; radii in pixels. */
export interface IPlaces {
  x: Float32Array;
  y: Float32Array;
  radii: Float32Array;
}

/** First how many points each shape has, then the x, y and radii of each. */
export function unpack(shapes: IShape[], packed: DataView): IPlaces[] {
  // A copy: the bytes may lie anywhere in a message, and a dot in hand is moved in it.
  const { buffer, byteOffset, byteLength } = packed;
  const all = new Float32Array(
    buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  );
  let at = shapes.length;
  const take = (count: number): Float32Array => all.subarray(at, (at += count));
  return shapes.map(({ kind }, index) => {
    const count = all[index] ?? 0;
    const [x, y] = [take(count), take(count)];
    return { x, y, radii: take(kind === 'bubbles' ? count : 0) };
  });
}

/** The ticks to label: all of them, or every second, third ... so that none lies on the one before. */
export function labelled(
  ticks: [number, string][],
  length: number,
  letter = 7
): [number, string][] {
  const fit = (some: [number, string][]): boolean =>
    some.slice(1).every(([share, label], index) => {
      const [before, left] = some[index];
      const wide = ((label.length + left.length) * letter) / 2;
      return (share - before) * length >= wide + 3;
    });
  let [every, some] = [1, ticks];
  while (!fit(some)) {
    every += 1;
    some = ticks.filter((_, index) => index % every === 0);
  }
  return some;
}

export function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number> = {}
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  put(element, attributes);
  return element;
}

/** Set what has changed. */
export function put(
  element: Element,
  attributes: Record<string, string | number>
): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== `${value}`) {
      element.setAttribute(name, `${value}`);
    }
  }
}

export function write(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}
