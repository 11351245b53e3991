import { blocksOfMarkdown } from './blocks.rules';
import { chunksOf, chunkWords, type Block } from './chunks.rules';

const words = (count: number, from = 1): string => Array.from({ length: count }, (_, n) => `w${from + n}`).join(' ');
const paragraph = (text: string): Block => ({ level: 0, text });
const sizes = (chunks: readonly string[]): number[] => chunks.map((chunk) => chunk.split(/\s+/).length);

describe('chunks of a document', () => {
  it.each([
    ['no blocks', [], []],
    ['only a heading', [{ level: 1, text: 'Fruit' }], []],
    ['a paragraph without words', [paragraph('  ')], []],
    ['short paragraphs', [paragraph('a'), paragraph('b')], ['a\nb']],
  ])('of %s: %j is split into %j', (_what, blocks, chunks) => {
    expect(chunksOf(blocks)).toEqual(chunks);
  });

  it('begin with their headings, and never contain text of two sections', () => {
    const text = '# A\n\none\n\n## B\n\ntwo\n\n## C\n\nthree\n\n# D\n\nfour';
    expect(chunksOf(blocksOfMarkdown(text))).toEqual(['A\none', 'A > B\ntwo', 'A > C\nthree', 'D\nfour']);
  });

  it.each([
    ['# A', 'A'],
    ['#  A #', 'A'],
    ['## A ##  ', 'A'],
    ['# A#', 'A#'],
    ['# A # B', 'A # B'],
    ['# A\t#\t', 'A'],
    ['#A', undefined],
    ['# #', undefined],
    // A backtracking regular expression takes minutes for this heading.
    [`# A${' '.repeat(400_000)}B`, `A${' '.repeat(400_000)}B`],
  ])(
    'the heading of a line of Markdown has its title without closing marks, whatever its length (%#)',
    (line, title) => {
      expect(blocksOfMarkdown(line).find(({ level }) => level > 0)?.text).toBe(title);
    },
  );

  it.each([
    [chunkWords.most, 1],
    [chunkWords.most + 1, 2],
    [chunkWords.most * 5, 6],
  ])('a paragraph of %i words has %i chunks', (count, parts) => {
    const chunks = chunksOf([paragraph(words(count))]);
    expect(chunks).toHaveLength(parts);
    expect(Math.max(...sizes(chunks))).toBeLessThanOrEqual(chunkWords.most);
  });

  it('repeat the last 40 words of the chunk before under the same heading, and lose no words', () => {
    const [first = '', second = ''] = chunksOf([paragraph(words(250)), paragraph(words(250, 251))]);
    expect(second.split(/\s+/).slice(0, chunkWords.overlap)).toEqual(first.split(/\s+/).slice(-chunkWords.overlap));
    const all = chunksOf(Array.from({ length: 30 }, (_, n) => paragraph(words(90, n * 90 + 1)))).join(' ');
    expect(new Set(all.split(/\s+/)).size).toBe(30 * 90);
  });

  it('split words that are longer than 80 characters', () => {
    const [chunk = ''] = chunksOf([paragraph('字'.repeat(200))]);
    expect(chunk.split(' ').map((word) => word.length)).toEqual([80, 80, 40]);
  });

  it('property: contain every word of every paragraph, and do not exceed the maximum length', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      let state = seed;
      const next = (most: number): number => ((state = (state * 48_271) % 2_147_483_647) % most) + 1;
      let at = 1;
      const blocks = Array.from({ length: next(12) }, (): Block => {
        if (next(4) === 1) return { level: next(6), text: 'heading' };
        const count = next(700);
        at += count;
        return paragraph(words(count, at - count));
      });
      const chunks = chunksOf(blocks);
      const found = new Set(chunks.flatMap((chunk) => chunk.match(/w\d+/g) ?? []));
      expect(found.size).toBe(at - 1);
      expect(Math.max(0, ...chunks.map((chunk) => (chunk.match(/w\d+/g) ?? []).length))).toBeLessThanOrEqual(
        chunkWords.most,
      );
    }
  });
});
