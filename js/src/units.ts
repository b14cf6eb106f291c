const PREFIXES = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k']
] as const;

/** The units that sizes of memory are shown in. */
export type MemoryUnit = 'GiB' | 'GB';

/** A number to three significant figures with a prefix: `si(989.4e12, 'FLOPS')` is "989 TFLOPS". */
export function si(value: number, unit: string): string {
  const [size, prefix] = PREFIXES.find(([size]) => value >= size) ?? [1, ''];
  const scaled = value / size;
  const decimals = scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  return `${trimmed(scaled.toFixed(decimals))} ${prefix}${unit}`;
}

/** A size of memory: `memory(80 * 2 ** 30, 'GiB')` is "80 GiB". */
export function memory(bytes: number, unit: MemoryUnit): string {
  const size = unit === 'GiB' ? 2 ** 30 : 1e9;
  return `${trimmed((bytes / size).toFixed(1))} ${unit}`;
}

function trimmed(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}
