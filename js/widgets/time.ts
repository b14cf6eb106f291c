// Seconds as people read them, and round places on a time axis.

const UNITS: [number, string][] = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
  [1e-9, 'ns']
];

/** The unit that shows a time with digits before the point. */
export function unitOf(seconds: number): [number, string] {
  return UNITS.find(([size]) => seconds >= 0.9995 * size) ?? UNITS[3];
}

/** Three significant figures: `si(4.759e-5) === "47.6 µs"`. */
export function si(seconds: number): string {
  if (!seconds) {
    return '0';
  }
  const [size, unit] = unitOf(seconds);
  return `${Number((seconds / size).toPrecision(3))} ${unit}`;
}

/** At most `most` round places from zero to the end of a time axis. */
export function ticks(end: number, most: number): number[] {
  const step = nice(end / Math.max(most - 1, 1));
  const count = Math.floor((end / step) * (1 + 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** The next of 1, 2 or 5 times a power of ten. */
export function nice(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value) + 1e-9);
  const found = [1, 2, 5].find(each => each * decade >= value * (1 - 1e-9));
  return (found ?? 10) * decade;
}
