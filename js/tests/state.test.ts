import { explorerOf, sameState, withDefaults } from '../src/state';

const STATE = JSON.stringify({
  version: 1,
  explorer: 'gemm',
  scenario: { gpu: 'V100 SXM2 16GB', dtype: 'FP16', phases: ['fprop'] },
  options: { field: 'batch' }
});

const NONE = { gpu: '', dtype: '', phases: '', launch: '' };

interface IRead {
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly options: object;
}

test('a state names its explorer; the first ones did not', () => {
  expect(explorerOf(STATE)).toBe('gemm');
  expect(explorerOf('{"version": 1, "scenario": {}}')).toBe('layer');
});

test('defaults replace what they name, and nothing else', () => {
  const read = JSON.parse(
    withDefaults(STATE, { ...NONE, gpu: 'T4', phases: 'training' })
  ) as IRead;
  expect(read.scenario).toEqual({
    gpu: 'T4',
    dtype: 'FP16',
    phases: ['fprop', 'dgrad', 'wgrad', 'update']
  });
  expect(read.options).toEqual({ field: 'batch' });
});

test('no defaults change nothing', () => {
  expect(sameState(withDefaults(STATE, NONE), STATE)).toBe(true);
});

test('the order of keys and white space make no difference, values do', () => {
  expect(
    sameState(
      '{"a": 1, "b": [1, {"c": 2, "d": 3}]}',
      '{"b":[1,{"d":3,"c":2}],"a":1}'
    )
  ).toBe(true);
  expect(sameState('{"a": [1, 2]}', '{"a": [2, 1]}')).toBe(false);
  expect(sameState('{"a": 1}', '{"a": 1')).toBe(false);
});
