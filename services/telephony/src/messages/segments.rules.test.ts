import { segmentsOf } from './segments.rules';

describe('parts of a message', () => {
  it.each([
    ['', 1],
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    // 76 characters of two septets fill 152 of 153: none is split.
    ['€'.repeat(152), 2],
    ['€'.repeat(153), 3],
    ['я'.repeat(70), 1],
    ['я'.repeat(71), 2],
    ['я'.repeat(134), 2],
    ['я'.repeat(135), 3],
    ['😀'.repeat(35), 1],
    ['😀'.repeat(36), 2],
    // 33 surrogate pairs fill 66 of 67 units.
    ['😀'.repeat(66), 2],
    ['😀'.repeat(67), 3],
  ])('of %j', (text, parts) => {
    expect(segmentsOf(text)).toBe(parts);
  });
});
