import {
  NotAScenario,
  readScenarioFile,
  writeScenarioFile
} from '../src/scenario-file';

function kind(text: string): string {
  try {
    readScenarioFile(text);
  } catch (error) {
    return (error as NotAScenario).kind;
  }
  return 'read';
}

test('what is written is read again', () => {
  const state =
    '{"version": 1, "explorer": "layer", "scenario": {"gpu": "T4"}}';
  const text = writeScenarioFile(state);
  expect(text).toMatch(/^\{\n {2}"version": 1,[^]*\}\n$/);
  expect(JSON.parse(readScenarioFile(text))).toEqual(JSON.parse(state));
});

test.each([
  ['json', '{"version": 1, "scenario": {'],
  ['json', ''],
  ['foreign', '[]'],
  ['foreign', 'null'],
  ['foreign', '{"version": 1, "scenario": []}'],
  ['version', '{"version": 2, "scenario": {}}'],
  ['version', '{"scenario": {}}'],
  ['unknown', '{"version": 1, "scenario": {}, "also": 1}'],
  ['read', '{"version": 1, "scenario": {}, "pinned": {}}']
])('%s: %s', (expected, text) => {
  expect(kind(text)).toBe(expected);
});

test('what no kernel would be sent is not even parsed', () => {
  expect(kind('x'.repeat(4 * 2 ** 20 + 1))).toBe('large');
});
