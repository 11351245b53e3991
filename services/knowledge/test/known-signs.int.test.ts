import { routes } from '@parley/contract';
import { readContent } from '../src/documents/read-content';
import { askBases } from '../src/search';
import { explained, rowsOf } from './explained';
import { KnowledgePlatform, patience, wholeOf, type Customer } from './knowledge-platform';
import { StandInEmbeddings, standInVector } from './stand-in-embeddings';

const chunks = 600;
/** How many vectors of few dimensions are compared exactly. */
const candidates = 500;
/** A number as a word, because the fake server ignores digits. */
const word = (n: number): string => `no${[...String(n)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}`;
/** A text with the given number of chunks, each with its own heading and meaning. */
const pieces = (count: number): string =>
  Array.from({ length: count }, (_, n) => `# ${word(n)}\n\n${word(n % 70)} and ${word(n % 11)}.`).join('\n\n');

/** With pgvector and a fake embeddings server. */
describe('signs in memory', () => {
  let platform: KnowledgePlatform;
  let server: StandInEmbeddings;
  let customer: Customer;
  let base: string;
  let document: string;
  let credential: string;

  beforeAll(async () => {
    platform = await KnowledgePlatform.start({ vectors: true });
    server = await StandInEmbeddings.start();
  });
  beforeEach(async () => {
    customer = platform.customer();
    credential = platform.credentials.add(customer.organizationId, server.url);
    base = await customer.base({ embeddings: settings() });
    document = (await customer.add(base, { name: 'long', text: pieces(chunks) })).document_id;
    await settle();
  });
  afterAll(async () => {
    await server?.sink.close();
    await platform?.stop();
  });

  const settings = (model = 'stand-in') => ({ component_credential_id: credential, model });
  const settle = async (): Promise<void> => {
    await platform.process({ read: async ({ mediaType, content }) => readContent(mediaType, await wholeOf(content)) });
    await platform.embed();
  };
  /** Asks, and waits until the signs are read that the question has requested. @returns how many rows with vectors it has read, and its hits */
  const ask = async (text: string, bases = [base]) => {
    const { signs } = platform;
    const embedder = { embed: async () => [standInVector(text)] };
    const found: string[] = [];
    const plans = await explained(platform.database.db, async (db) => {
      const asked = { db, embedder, signs, questionMs: patience, asked: () => undefined };
      const answer = await askBases(asked, customer.organizationId, bases, text, 20);
      expect(answer.ranking).toBe('hybrid');
      found.push(...answer.data.map((hit) => `${hit.document_name} ${hit.position} ${hit.score}`));
    });
    await signs.waitForReads();
    const rows = plans.filter((node) => node['Relation Name'] === 'embeddings').map(rowsOf);
    return { found, rows: rows.reduce((sum, one) => sum + one, 0) };
  };

  it('give the same hits as a comparison in the database, and are used from the second question on', async () => {
    const questions = [word(17), `${word(3)} and ${word(599)}`, word(5)];
    const first = await ask(word(17));
    expect(first.rows).toBe(chunks);
    const second = await ask(word(17));
    expect(second).toEqual({ found: first.found, rows: candidates });
    for (const question of questions) {
      const known = await ask(question);
      // A changed document makes the signs unknown.
      await platform.rows('update documents set embedding_epoch = embedding_epoch + 1 where document_id = $1', [
        document,
      ]);
      const compared = await ask(question);
      expect(compared.rows).toBe(chunks);
      expect(known).toEqual({ found: compared.found, rows: candidates });
    }
  });

  it('are not used after a document was added, replaced or deleted', async () => {
    await ask(word(1));
    const added = await customer.add(base, { name: 'wash', text: 'An automobile is washed.' });
    await settle();
    expect((await ask('vehicle')).found[0]).toMatch(/^wash 0/);
    const known = await ask('vehicle');
    expect(known.rows).toBe(candidates);
    expect(known.found[0]).toMatch(/^wash 0/);
    await customer.put(added.document_id, 'text/plain', 'Our physician.');
    await settle();
    expect((await ask('doctor')).found[0]).toMatch(/^wash 0/);
    await customer.ask(routes.deleteKnowledgeDocument, { params: { document_id: added.document_id } });
    const afterwards = await ask('doctor');
    expect(afterwards.rows).toBe(chunks);
    expect(afterwards.found.filter((hit) => hit.startsWith('wash'))).toEqual([]);
  });

  it('are not used with other settings of the base, and min_similarity counts immediately', async () => {
    await ask(word(1));
    const params = { knowledge_base_id: base };
    const { embeddings } = (await customer.ask(routes.getKnowledgeBase, { params })).body;
    const stricter = { embeddings: { ...embeddings, min_similarity: 0.99 } };
    await customer.ask(routes.updateKnowledgeBase, { params, body: stricter as object });
    const { data, ranking } = await askBases(
      {
        db: platform.database.db,
        embedder: { embed: async () => [standInVector('unheard')] },
        ...{ signs: platform.signs, questionMs: patience, asked: () => undefined },
      },
      ...([customer.organizationId, [base], 'unheard', 5] as const),
    );
    expect({ data, ranking }).toEqual({ data: [], ranking: 'hybrid' });
    await customer.ask(routes.updateKnowledgeBase, {
      params,
      body: { embeddings: settings('other') },
    });
    // Found by a word, because it has no vectors yet.
    expect((await customer.query(base, word(1), 1)).map((hit) => hit.document_name)).toEqual(['long']);
    await platform.embed();
    expect((await ask(word(1))).rows).toBe(chunks);
    expect((await ask(word(1))).rows).toBe(candidates);
  });

  it('of several bases are compared together, and those of another organization are never used', async () => {
    const other = await customer.base({ embeddings: settings() });
    await customer.add(other, { name: 'other', text: 'An automobile is washed.' });
    await settle();
    const foreign = platform.customer();
    await ask('vehicle', [base, other]);
    const again = await ask('vehicle', [base, other]);
    expect(again.found[0]).toMatch(/^other 0/);
    expect(again.rows).toBe(candidates);
    const { signs } = platform;
    const embedder = { embed: async () => [standInVector('vehicle')] };
    const asked = { db: platform.database.db, embedder, signs, questionMs: patience, asked: () => undefined };
    const answer = await askBases(asked, foreign.organizationId, [base, other], 'vehicle', 5);
    expect(answer).toEqual({ data: [], ranking: 'full_text', embedding_failure: null });
  });
});
