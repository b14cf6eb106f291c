import { execFileSync } from 'node:child_process';

import { literal, openCode } from '../src/code';

const REQUEST = { slug: 'layer', state: '', overrides: false, language: '' };

test('an explorer is opened by its name, or by its state', () => {
  expect(openCode(REQUEST)).toContain('open_explorer("layer")');
  const state = '{"version": 1}';
  expect(openCode({ ...REQUEST, state })).toContain(
    'open_explorer("{\\"version\\": 1}")'
  );
});

test('only a state that overrides is written over an explorer that is there', () => {
  const state = '{"version": 1}';
  expect(openCode({ ...REQUEST, state })).not.toContain('_dlperf.state =');
  expect(openCode({ ...REQUEST, state, overrides: true })).toContain(
    '_dlperf.state ='
  );
});

test('the language is chosen before anything is shown', () => {
  const lines = openCode({ ...REQUEST, language: 'zh_CN' }).split('\n');
  expect(lines.indexOf('dp.set_language("zh_CN")')).toBe(1);
  expect(openCode(REQUEST)).not.toContain('set_language');
});

test('a text means the same to Python, and cannot leave its quotes', () => {
  const nasty =
    '"); import os; os.abort() #\\" \n\u2028 自 \u0007 \ud83d\ude00';
  const told = execFileSync('python3', [
    '-c',
    `import json; print(json.dumps(${literal(nasty)}))`
  ]);
  expect(JSON.parse(told.toString())).toBe(nasty);
});
