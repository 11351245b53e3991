import { limits } from '@parley/contract';
import { searchChunks } from '../src/search/search.sql';
import { explained, rowsOf, type PlanNode } from './explained';
import { KnowledgePlatform, type Customer } from './knowledge-platform';
import { exactScores, largeBase, Words } from './large-base';

/** As many hits as a question with embeddings takes from the words. */
const depth = 40;
/** Of any step of the statement, also rows that a join compares and discards. Chunks and rows of words are at most 7,000 by the estimate of how often a word occurs. */
const mostRows = 20_000;
/** A sample of each word, the postings of the rarest words, and those that are looked up for 50 candidates. */
const mostPostings = 6_000;
const mostLookups = 50 * 24;

const shapes: Readonly<Record<string, { documents: number; chunks: number }>> = {
  'documents of 100 chunks': { documents: 100, chunks: 100 },
  'documents of 10 chunks': { documents: 1_000, chunks: 10 },
};

/** 10,000 chunks in long and in short documents. The time is measured by `npm run bench -- --only knowledge`. */
describe('a question to a knowledge base of 10,000 chunks', () => {
  let platform: KnowledgePlatform;
  let customer: Customer;
  const words = new Words();
  const bases = new Map<string, string>();

  const kinds: [string, () => string][] = [
    ['one word', () => words.text(1)],
    ['eight words', () => words.text(8)],
    ['the eight most frequent words', () => words.text(8, (n) => n + 1)],
    ['forty words', () => words.text(40)],
    ['as many words as fit', () => words.filling(limits.knowledgeQuestionCharacters)],
  ];
  const cases = Object.keys(shapes).flatMap((shape) =>
    kinds.map(([kind, question]) => [kind, shape, question] as const),
  );

  beforeAll(async () => {
    platform = await KnowledgePlatform.start();
    customer = platform.customer();
    for (const [name, shape] of Object.entries(shapes))
      bases.set(name, await largeBase(platform, customer, words, shape));
    await platform.rows('analyze documents, chunks, postings');
  }, 300_000);
  afterAll(() => platform?.stop());

  it.each(cases)('of %s reads and compares a bounded number of rows: %s', async (_kind, shape, question) => {
    const plans = await explained(platform.database.db, (db) =>
      searchChunks(db, customer.organizationId, [bases.get(shape) ?? ''], question(), depth),
    );
    expect(plans.length).toBeGreaterThan(10);
    expect(Math.max(...plans.map(rowsOf))).toBeLessThanOrEqual(mostRows);
    const of = (table: string): PlanNode[] => plans.filter((node) => node['Relation Name'] === table);
    expect(of('postings').reduce((sum, node) => sum + rowsOf(node), 0)).toBeLessThanOrEqual(mostPostings);
    expect(Math.max(...of('postings').map((node) => node['Actual Loops']))).toBeLessThanOrEqual(mostLookups);
    // Texts are read only for the hits, after the ranking.
    expect(of('chunks')).toEqual([]);
  });
});

describe('the ranking of 1,000 chunks', () => {
  let platform: KnowledgePlatform;
  let customer: Customer;
  let base: string;
  let chunks: readonly { readonly text: string }[];
  const questions = 40;

  /** Never copied, so that each question has one right answer. */
  const shape = { documents: 100, chunks: 10 };

  beforeAll(async () => {
    platform = await KnowledgePlatform.start();
    customer = platform.customer();
    base = await largeBase(platform, customer, new Words(), shape);
    await platform.rows('analyze documents, chunks, postings');
    chunks = await platform.rows('select text from chunks where organization_id = $1 order by md5(text)', [
      customer.organizationId,
    ]);
  }, 300_000);
  afterAll(() => platform?.stop());

  it.each([
    ['8 words, 4 of them of the chunk', 8, 4, 0.7, 0.8],
    ['15 words, 8 of them of the chunk', 15, 8, 0.9, 0.95],
    ['40 words, 8 of them of the chunk', 40, 8, 0.8, 0.9],
    ['160 words, 20 of them of the chunk', 160, 20, 0.9, 0.95],
  ])('finds the right chunk first, or in the first five, for %s', async (_kind, count, own, first, inFive) => {
    const words = new Words(99);
    const places: number[] = [];
    for (const { text } of chunks.slice(0, questions)) {
      const found = await customer.query(base, words.about(text, count, own), 5);
      places.push(found.findIndex((one) => one.text === text));
    }
    expect(places.filter((place) => place === 0).length / questions).toBeGreaterThanOrEqual(first);
    expect(places.filter((place) => place >= 0).length / questions).toBeGreaterThanOrEqual(inFive);
  });

  it.each([
    ['a frequent word', 1, 1],
    ['forty words', 40, 0.95],
    ['160 words', 160, 0.8],
  ])('of %s is nearly as if all words were compared', async (_kind, count, least) => {
    const words = new Words(99);
    let [kept, all] = [0, 0];
    for (let n = 0; n < 20; n += 1) {
      const text = count === 1 ? words.text(1, () => 1 + n) : words.text(count);
      const exact = await exactScores(platform, customer.organizationId, base, text);
      const found = await customer.query(base, text, 3);
      kept += found.reduce((sum, one) => sum + (exact.get(`${one.document_id} ${one.position}`) ?? 0), 0);
      all += [...exact.values()].slice(0, 3).reduce((sum, score) => sum + score, 0);
    }
    expect(kept / all).toBeGreaterThanOrEqual(least - 1e-9);
  });
});
