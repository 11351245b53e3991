import { limits } from '@parley/contract';
import { searchChunks } from '../src/search/search.sql';
import { explained, rowsOf } from './explained';
import { KnowledgePlatform, type Customer } from './knowledge-platform';
import { exactScores, largeBase, Words } from './large-base';

/** How long `calibrate` takes on the machine of docs/measurements.md if it has nothing else to do. */
const calibratedMs = 50;
const questions = 40;
/** The fastest counts, because other tests run on the same processors. */
const tries = 3;
/** As many hits as a question with embeddings takes from the words. */
const depth = 40;
/** Of any step of the statement, also rows that a join compares and discards. Ranked are at most 14,000. */
const mostRows = 100_000;

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;

/** 10,000 chunks of 250 words, in long and in short documents. */
describe('a question to a knowledge base of 10,000 chunks', () => {
  let platform: KnowledgePlatform;
  let customer: Customer;
  const words = new Words();
  const bases = new Map<string, string>();

  /** A word is one row of postings for each document, so that short documents take longer. */
  const shapes: Readonly<Record<string, { documents: number; chunks: number; boundMs: number }>> = {
    'documents of 100 chunks': { documents: 100, chunks: 100, boundMs: 50 },
    'documents of 10 chunks': { documents: 1_000, chunks: 10, boundMs: 100 },
  };
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
  });

  it.each(Object.keys(shapes))('finds the chunk whose words it repeats among many others: %s', async (shape) => {
    const base = bases.get(shape) ?? '';
    const chunks = await platform.rows<{ text: string }>(
      `select text from chunks join documents using (organization_id, document_id)
       where organization_id = $1 and knowledge_base_id = $2 order by md5(text), document_id limit 200`,
      [customer.organizationId, base],
    );
    for (const { text } of chunks.filter((_, n) => n % 10 === 0)) {
      const repeated = text.split(' ').slice(100, 120).join(' ');
      const [best] = await customer.query(base, `${words.text(20)} ${repeated} ${words.text(20)}`);
      expect(best?.text).toBe(text);
    }
  });

  it.each(Object.keys(shapes))('of forty words is ranked nearly as if all words were compared: %s', async (shape) => {
    const base = bases.get(shape) ?? '';
    let [kept, all] = [0, 0];
    for (let n = 0; n < 20; n += 1) {
      const text = words.text(40);
      const exact = await exactScores(platform, customer.organizationId, base, text);
      const found = await customer.query(base, text, 3);
      kept += found.reduce((sum, one) => sum + (exact.get(`${one.document_id} ${one.position}`) ?? 0), 0);
      all += [...exact.values()].slice(0, 3).reduce((sum, score) => sum + score, 0);
    }
    expect(kept / all).toBeGreaterThan(0.9);
  });

  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  /** Sorts numbers into groups, as the ranking does. */
  const calibrate = () =>
    timed(() =>
      platform.rows('select count(*) from (select n % 9973 from generate_series(1, 150000) as n group by 1) as one'),
    );

  it.each(cases)(
    'of %s is answered within the bound (p95), longer only on a slow machine: %s',
    async (_kind, shape, question) => {
      const base = bases.get(shape) ?? '';
      const asked: number[] = [];
      const calibrated: number[] = [];
      for (let n = 0; n < questions; n += 1) {
        const text = question();
        let fastest = Infinity;
        for (let again = 0; again < tries; again += 1)
          fastest = Math.min(fastest, await timed(() => customer.query(base, text)));
        asked.push(fastest);
        calibrated.push(await calibrate());
      }
      const p95 = percentile(asked, 0.95);
      const reference = percentile(calibrated, 0.5);
      const { boundMs = NaN } = shapes[shape] ?? {};
      expect(p95).toBeLessThan(boundMs * Math.max(1, reference / calibratedMs));
    },
    120_000,
  );
});
