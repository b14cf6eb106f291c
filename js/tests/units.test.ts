import { matches } from '../src/search';
import { memory, si } from '../src/units';

test.each([
  [989.4e12, 'FLOPS', '989 TFLOPS'],
  [19.5e12, 'FLOPS', '19.5 TFLOPS'],
  [2039e9, 'B/s', '2.04 TB/s'],
  [900e9, 'B/s', '900 GB/s'],
  [1e15, 'FLOPS', '1 PFLOPS'],
  [12, 'B', '12 B']
])('%d %s is %s', (value, unit, expected) => {
  expect(si(value, unit)).toBe(expected);
});

test('a size of memory in either unit', () => {
  expect(memory(80 * 2 ** 30, 'GiB')).toBe('80 GiB');
  expect(memory(80 * 2 ** 30, 'GB')).toBe('85.9 GB'); // 80 x 1.073741824
});

test('every word must be there, in any order and case', () => {
  expect(matches('SXM a100', 'A100 SXM4 80GB', 'Ampere')).toBe(true);
  expect(matches('a100 hopper', 'A100 SXM4 80GB', 'Ampere')).toBe(false);
  expect(matches('算术', '算术强度')).toBe(true);
  expect(matches('  ', 'anything')).toBe(true);
});
