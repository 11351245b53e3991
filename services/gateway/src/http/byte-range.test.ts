import { rangeOf } from './send-ranged';

it.each([
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=0-99', { from: 0, to: 100 }],
  ['bytes=10-', { from: 10, to: 100 }],
  ['bytes=99-', { from: 99, to: 100 }],
  ['bytes=99-500', { from: 99, to: 100 }],
  ['bytes=-1', { from: 99, to: 100 }],
  ['bytes=-100', { from: 0, to: 100 }],
  ['bytes=-500', { from: 0, to: 100 }],
  ['Bytes= 5-6 ', { from: 5, to: 7 }],
  [undefined, undefined],
  ['', undefined],
  ['bytes=-', undefined],
  ['bytes=-0', undefined],
  ['bytes=100-', undefined],
  ['bytes=7-6', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=a-b', undefined],
  ['items=0-1', undefined],
  ['bytes=99999999999999999999-', undefined],
])('Range: %s of 100 bytes is %j (undefined: invalid or unsatisfiable)', (header, range) =>
  expect(rangeOf(header, 100)).toEqual(range),
);

it('no range of an empty resource is satisfiable', () => {
  expect(rangeOf('bytes=0-', 0)).toBeUndefined();
  expect(rangeOf('bytes=-5', 0)).toBeUndefined();
});
