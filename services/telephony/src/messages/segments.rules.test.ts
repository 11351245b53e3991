import { segmentsOf } from './segments.rules';

describe('the number of segments of a message', () => {
  it.each([
    ['', 1],
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    // € takes two septets: 76 of them fill 152 of the 153 septets of a part, because a character is never split.
    ['€'.repeat(152), 2],
    ['€'.repeat(153), 3],
    ['я'.repeat(70), 1],
    ['я'.repeat(71), 2],
    ['я'.repeat(134), 2],
    ['я'.repeat(135), 3],
    ['😀'.repeat(35), 1],
    ['😀'.repeat(36), 2],
    // Each emoji is a surrogate pair: 33 pairs fill 66 of the 67 units of a part.
    ['😀'.repeat(66), 2],
    ['😀'.repeat(67), 3],
  ])('of %j is %i', (text, parts) => {
    expect(segmentsOf(text)).toBe(parts);
  });
});
