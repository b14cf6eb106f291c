import { linkTo, stateIn, withoutState } from '../src/link-address';

const STATE = '{"version":1,"scenario":{"gpu":"自家 GPU ÿ~?>"}}';

function query(address: string): string {
  return new URL(address).search;
}

test('a state survives the way through an address, whatever its letters', () => {
  const address = linkTo('http://127.0.0.1:8888/lab', STATE);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:8888\/lab\?dlperf=[\w-]+$/);
  expect(stateIn(query(address))).toBe(STATE);
});

test('an address without a state has none', () => {
  expect(stateIn('?reset')).toBeNull();
});

test('a damaged one is refused', () => {
  const address = linkTo('http://127.0.0.1:8888/lab', STATE);
  expect(() => stateIn(query(address.slice(0, -10)))).toThrow();
  expect(() => stateIn('?dlperf=***')).toThrow();
});

test('only the state is taken out of a query', () => {
  expect(withoutState('?dlperf=abc')).toBe('');
  expect(withoutState('?clone=a&dlperf=abc')).toBe('?clone=a');
});
