import { nearestBySigns, packSigns, wordsOf, type ChunkSigns } from './signs.rules';

const dimensions = 70;
/** The same in each run. */
let state = 5;
const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
const vector = (): number[] => Array.from({ length: dimensions }, random);

const listOf = (document: string, vectors: readonly number[][]): ChunkSigns => ({
  documentIds: vectors.map(() => document),
  positions: Int32Array.from(vectors.keys()),
  signs: Uint32Array.from(vectors.flatMap((one) => [...packSigns(one)])),
});
const differences = (a: readonly number[], b: readonly number[]): number =>
  a.filter((value, n) => value > 0 !== (b[n] ?? 0) > 0).length;

describe('signs of vectors', () => {
  it('are packed in the order in which PostgreSQL sends bits, with zeros at the end', () => {
    const packed = packSigns([1, -1, 0, 2, -3, 1e-9, -0, 5, 4, ...Array<number>(24).fill(-1)]);
    expect([...new Uint8Array(packed.buffer)]).toEqual([0b10010101, 0b10000000, 0, 0, 0, 0, 0, 0]);
    expect([1, 32, 33, 1_536, 2_000].map(wordsOf)).toEqual([1, 1, 2, 48, 63]);
  });

  it('find the chunks of all lists whose signs differ least from those of the question', () => {
    const vectors = [Array.from({ length: 40 }, vector), Array.from({ length: 60 }, vector)];
    const lists = vectors.map((one, n) => listOf(`doc ${n}`, one));
    for (let n = 0; n < 20; n += 1) {
      const question = vector();
      const all = vectors.flatMap((list) => list.map((one) => differences(one, question))).sort((a, b) => a - b);
      const found = nearestBySigns(lists, packSigns(question), 10);
      const those = found.map(({ list, position }) => differences(vectors[list]?.[position] ?? [], question));
      expect(those.sort((a, b) => a - b)).toEqual(all.slice(0, 10));
      for (const { list, documentId } of found) expect(documentId).toBe(`doc ${list}`);
    }
  });

  it('find exactly as many chunks as are wanted if all differ equally, and all if there are fewer', () => {
    const question = vector();
    const lists = [listOf('a', Array<number[]>(4).fill(question)), listOf('b', Array<number[]>(4).fill(question))];
    const found = nearestBySigns(lists, packSigns(question), 6);
    expect(found.map(({ documentId, position }) => `${documentId}${position}`)).toEqual([
      ...['a0', 'a1', 'a2', 'a3'],
      ...['b0', 'b1'],
    ]);
    expect(nearestBySigns(lists, packSigns(question), 100)).toHaveLength(8);
    expect(nearestBySigns([listOf('a', [])], packSigns(question), 100)).toEqual([]);
    // The greatest possible difference.
    expect(nearestBySigns(lists, packSigns(question.map((value) => -value)), 6)).toHaveLength(6);
  });
});
