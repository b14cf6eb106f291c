import { linkedIn, linkTo, withoutLink } from '../src/link-address';

const LAB = 'http://127.0.0.1:8888/lab';
const STATE =
  '{"version":1,"explorer":"gemm","scenario":{"gpu":"自家 GPU ÿ~?>"}}';

function query(address: string): string {
  return new URL(address).search;
}

test('a state survives the way through an address, whatever its letters', () => {
  const address = linkTo(LAB, { slug: 'gemm', state: STATE });
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:8888\/lab\?dlperf=[\w-]+$/);
  expect(linkedIn(query(address))).toEqual({ slug: 'gemm', state: STATE });
});

test('without a state an address names the explorer, and what it starts with', () => {
  const linked = { slug: 'memory-limited', gpu: 'A100 SXM4 80GB' };
  expect(linkTo(LAB, { slug: 'layer' })).toBe(`${LAB}?dlperf=layer`);
  expect(linkedIn(query(linkTo(LAB, linked)))).toEqual(linked);
});

test('an address leads back to the session of an explorer, and to no other', () => {
  const session = 'dlperf-explorer-3f1c-9a';
  const address = linkTo(LAB, { slug: 'layer', session });
  expect(linkedIn(query(address))?.session).toBe(session);
  for (const other of ['mine.ipynb', `${session}/../mine.ipynb`]) {
    const foreign = linkTo(LAB, { slug: 'layer', session: other });
    expect(linkedIn(query(foreign))?.session).toBeUndefined();
  }
});

test('an address that asks for no explorer has none', () => {
  expect(linkedIn('?reset')).toBeNull();
});

test('a damaged one is refused', () => {
  const address = linkTo(LAB, { slug: 'gemm', state: STATE });
  expect(() => linkedIn(query(address.slice(0, -10)))).toThrow();
  expect(() => linkedIn('?dlperf=***')).toThrow();
});

test('only what asks for an explorer is taken out of a query', () => {
  expect(withoutLink('?dlperf=abc&dlperf-gpu=T4&dlperf-session=a')).toBe('');
  expect(withoutLink('?clone=a&dlperf=abc')).toBe('?clone=a');
});
