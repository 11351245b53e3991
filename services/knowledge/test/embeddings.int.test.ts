import { routes, type KnowledgeBaseRecord } from '@parley/contract';
import type { SinkAnswer } from '@parley/testing';
import { readContent } from '../src/documents/read-content';
import { embedNext } from '../src/embeddings';
import { askBases } from '../src/search';
import { explained, rowsOf } from './explained';
import { KnowledgePlatform, patience, wholeOf, type Customer } from './knowledge-platform';
import { dimensions, StandInEmbeddings, standInAnswer, standInVector } from './stand-in-embeddings';

const badRequest = { status: 400, code: 'BadRequestError' };
const never = (): Promise<never> => new Promise(() => undefined);
/** A text with the given number of chunks, each with its own heading. */
const pieces = (count: number): string =>
  Array.from({ length: count }, (_, n) => `# Part ${n}\n\nText ${n}.`).join('\n\n');

/** With pgvector and a fake embeddings server. */
describe('embeddings', () => {
  let platform: KnowledgePlatform;
  let server: StandInEmbeddings;
  let customer: Customer;
  let credential: string;

  beforeAll(async () => {
    platform = await KnowledgePlatform.start({ vectors: true });
    server = await StandInEmbeddings.start();
  });
  beforeEach(() => {
    server.reset();
    platform.embedded.length = 0;
    platform.asked.length = 0;
    customer = platform.customer();
    credential = platform.credentials.add(customer.organizationId, server.url);
  });
  afterAll(async () => {
    await server?.sink.close();
    await platform?.stop();
  });

  const settings = (change: object = {}) => ({ component_credential_id: credential, model: 'stand-in', ...change });
  const embeddedBase = (change: object = {}) => customer.base({ embeddings: settings(change) });
  const change = async (id: string, body: object): Promise<KnowledgeBaseRecord> =>
    (await customer.ask(routes.updateKnowledgeBase, { params: { knowledge_base_id: id }, body })).body;
  const names = async (base: string, text: string): Promise<string[]> =>
    (await customer.query(base, text)).map((hit) => hit.document_name);
  const vectors = async (who: Customer = customer): Promise<number> => {
    const text = 'select count(*)::integer as count from embeddings where organization_id = $1';
    return (await platform.rows<{ count: number }>(text, [who.organizationId]))[0]?.count ?? -1;
  };
  /** Processes documents in this process, which is much faster than starting one for each. */
  const process = () =>
    platform.process({ read: async ({ mediaType, content }) => readContent(mediaType, await wholeOf(content)) });
  /** Processes the documents, creates their vectors, and clears the recorded requests. */
  const settle = async (): Promise<void> => {
    await process();
    await platform.embed();
    server.sink.requests.length = 0;
  };

  it('find documents by meaning without common words, and rank them above accidental common words', async () => {
    const [hybrid, words] = [await embeddedBase(), await customer.base()];
    for (const base of [hybrid, words]) {
      await customer.add(base, { name: 'wash', text: 'An automobile is washed behind the house.' });
      await customer.add(base, { name: 'doctor', text: 'Our physician works on Mondays.' });
      await customer.add(base, { name: 'chairs', text: 'Chairs cost forty euros.' });
    }
    await settle();
    expect(await names(words, 'Where are cars?')).toEqual([]);
    expect((await names(hybrid, 'Where are cars?'))[0]).toBe('wash');
    expect((await names(hybrid, 'What is the price of chairs?'))[0]).toBe('chairs');
    const answer = await customer.answer(hybrid, 'doctor');
    expect(answer).toMatchObject({ ranking: 'hybrid', embedding_failure: null });
    expect(answer.data[0]).toMatchObject({ document_name: 'doctor', text: 'Our physician works on Mondays.' });
    expect(await customer.answer(words, 'physician')).toMatchObject({ ranking: 'full_text', embedding_failure: null });
  });

  it('find nothing by meaning below min_similarity of the base', async () => {
    const base = await embeddedBase({ min_similarity: 0.95 });
    await customer.add(base, { name: 'wash', text: 'An automobile is washed.' });
    await settle();
    expect(await names(base, 'vehicle')).toEqual([]);
    expect(await names(base, 'wash a vehicle')).toEqual(['wash']);
    const changed = await change(base, { embeddings: settings({ min_similarity: 0.3 }) });
    expect(changed.embeddings?.min_similarity).toBe(0.3);
    expect(await names(base, 'vehicle')).toEqual(['wash']);
    await platform.embed();
    expect(server.inputs.flat()).not.toContain('An automobile is washed.');
  });

  it('are tested when they are configured, and can be read without the secret', async () => {
    const base = await customer.base();
    const changed = await change(base, { embeddings: settings() });
    expect(changed.embeddings).toEqual({ ...settings(), dimensions, min_similarity: 0 });
    expect(await change(base, { embeddings: changed.embeddings })).toEqual(changed);
    expect(server.inputs).toHaveLength(1);
    expect(JSON.stringify(changed)).not.toContain('sk-1');
    const short = await change(base, { embeddings: settings({ dimensions: 16 }) });
    expect(short.embeddings?.dimensions).toBe(16);
    expect(server.sink.requests.at(-1)?.json).toMatchObject({ dimensions: 16 });
    expect((await change(base, { embeddings: null })).embeddings).toBeNull();
    expect(new Set(platform.credentials.opened)).toEqual(new Set(['embeddings']));
  });

  const answers: [string, SinkAnswer, string][] = [
    ['500', { status: 500, body: 'sk-1' }, 'answer_refused'],
    ['404', { status: 404 }, 'answer_refused'],
    ['401', { status: 401 }, 'credential_refused'],
    ['403', { status: 403 }, 'credential_refused'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'answer_refused'],
    ['text that is not JSON', { body: '<html>' }, 'not_readable'],
    ['null', { body: 'null' }, 'not_readable'],
    ['too few vectors', { body: '{"data":[]}' }, 'not_readable'],
    ['an entry that is null', { body: '{"data":[null]}' }, 'not_readable'],
    ['a vector of strings', { body: '{"data":[{"index":0,"embedding":["x"]}]}' }, 'not_readable'],
    ['a number out of range', { body: '{"data":[{"index":0,"embedding":[1e300]}]}' }, 'not_readable'],
    ['a zero vector', { body: '{"data":[{"index":0,"embedding":[0,0]}]}' }, 'not_readable'],
    ['more than 4 MiB', { body: `"${'x'.repeat(4 * 1024 * 1024)}"` }, 'not_readable'],
  ];

  it.each(answers)(
    'are refused with 400 if the server answers %s, and the base is not changed',
    async (_what, answer, code) => {
      server.instead = () => answer;
      const body = { embeddings: settings() };
      const base = await customer.base();
      await expect(change(base, body)).rejects.toMatchObject({
        ...badRequest,
        message: expect.stringMatching(new RegExp(`^embeddings cannot be created: ${code}: (?!.*sk-1)`)),
      });
      await expect(embeddedBase()).rejects.toMatchObject(badRequest);
      server.reset();
      expect((await change(base, {})).embeddings).toBeNull();
    },
  );

  it.each<[string, () => object]>([
    [
      'a credential of another organization',
      () => ({ component_credential_id: platform.credentials.add(platform.customer().organizationId, server.url) }),
    ],
    [
      'a credential for speech',
      () => ({
        component_credential_id: platform.credentials.add(customer.organizationId, server.url, { kind: 'tts' }),
      }),
    ],
    [
      'a credential of a provider without embeddings',
      () => ({
        component_credential_id: platform.credentials.add(customer.organizationId, server.url, {
          provider: 'anthropic',
        }),
      }),
    ],
    [
      'a server that does not listen',
      () => ({ component_credential_id: platform.credentials.add(customer.organizationId, 'http://127.0.0.1:1') }),
    ],
    [
      'the address of a cloud metadata service',
      () => ({
        component_credential_id: platform.credentials.add(customer.organizationId, 'http://169.254.169.254/latest'),
      }),
    ],
    ['no model', () => ({ model: undefined })],
    ['0 dimensions', () => ({ dimensions: 0 })],
    ['2,001 dimensions', () => ({ dimensions: 2_001 })],
    ['other dimensions than the server returns', () => ({ model: 'fixed', dimensions: 32 })],
    ['a similarity above 1', () => ({ min_similarity: 1.1 })],
    ['an unknown field', () => ({ url: 'http://127.0.0.1' })],
  ])('are refused with 400 for %s', async (_what, wrong) => {
    server.instead = (asked) => (asked.model === 'fixed' ? standInAnswer({ ...asked, dimensions: 48 }) : undefined);
    await expect(embeddedBase(wrong())).rejects.toMatchObject(badRequest);
  });

  it.each<[string, () => SinkAnswer | Promise<never>, string]>([
    ['answers 500', () => ({ status: 500 }), 'answer_refused'],
    ['does not answer', never, 'timeout'],
    ['refuses the credential', () => ({ status: 401 }), 'credential_refused'],
    [
      'answers with other dimensions',
      () => standInAnswer({ model: '', input: ['x'], dimensions: 8 }),
      'wrong_dimensions',
    ],
  ])(
    'are replaced by full-text search, with embedding_failure in the answer, if the server %s',
    async (_what, answer, code) => {
      const base = await embeddedBase();
      await customer.add(base, { name: 'wash', text: 'An automobile is washed.' });
      await settle();
      server.instead = answer;
      if (code === 'timeout') platform.wait.questionMs = 50;
      expect(await customer.answer(base, 'automobile')).toMatchObject({
        data: [{ document_name: 'wash' }],
        ranking: 'full_text',
        embedding_failure: { code },
      });
      expect(platform.asked).toEqual([code]);
      server.reset();
      platform.wait.questionMs = patience;
      expect(await customer.answer(base, 'vehicle')).toMatchObject({
        data: [{ document_name: 'wash' }],
        ranking: 'hybrid',
      });
    },
  );

  it('are retried if the server fails; until then the document has an embedding_failure and is found by words', async () => {
    const base = await embeddedBase();
    const { document_id } = await customer.add(base, { name: 'wash', text: 'An automobile is washed.' });
    server.instead = () => ({ status: 503 });
    await process();
    await platform.embed();
    expect(platform.embedded).toEqual(['answer_refused']);
    expect(await customer.document(document_id)).toMatchObject({
      ...{ status: 'ready', chunks: 1, embedded_chunks: 0 },
      embedding_failure: { code: 'answer_refused', detail: 'the server answered HTTP 503' },
    });
    expect(await embedNext(platform.embedding(), new AbortController().signal)).toBe(false);
    server.reset();
    await platform.embed();
    expect(await customer.document(document_id)).toMatchObject({ embedded_chunks: 1, embedding_failure: null });
  });

  it('continue where a replica stopped, without sending stored chunks again', async () => {
    const base = await embeddedBase();
    const { document_id } = await customer.add(base, { name: 'long', text: pieces(80) });
    await process();
    server.reset();
    server.instead = () => (server.inputs.length === 3 ? { status: 500 } : undefined);
    await platform.embed();
    expect(platform.embedded).toEqual([32, 32, 'answer_refused']);
    // A replica that was killed leaves its claim, until it expires.
    await platform.rows(`update embedding_jobs set claim = 'of a dead replica', due_at = '-infinity'`);
    server.reset();
    await platform.embed();
    expect(server.inputs.map(({ length }) => length)).toEqual([16]);
    expect(await customer.document(document_id)).toMatchObject({ chunks: 80, embedded_chunks: 80 });
    expect(await vectors()).toBe(80);
    expect(await platform.rows('select 1 from embedding_jobs')).toEqual([]);
  });

  it('are made in the reserved slot only for organizations that have no base in progress, and for those first in the other', async () => {
    const other = platform.customer();
    const theirs = platform.credentials.add(other.organizationId, server.url);
    for (const name of ['first', 'second']) await customer.add(await embeddedBase(), { name, text: name });
    const otherBase = await other.base({ embeddings: { component_credential_id: theirs, model: 'stand-in' } });
    for (const name of ['small', 'smaller']) await other.add(otherBase, { name, text: name });
    await process();
    server.reset();
    const signal = new AbortController().signal;
    const reserved = () => embedNext(platform.embedding({ reserved: true }), signal);
    const seen: string[] = [];
    server.instead = async (asked) => {
      seen.push(asked.input[0] ?? '');
      // While the first is in progress: the other organization's base, and then none.
      if (seen.length === 1) expect([await reserved(), await reserved()]).toEqual([true, false]);
      return standInAnswer(asked);
    };
    await embedNext(platform.embedding(), signal);
    expect(seen.slice(0, 2)).toEqual(['first', 'small']);
    await platform.embed();
    expect([await vectors(), await vectors(other)]).toEqual([2, 2]);
  });

  it('of a replica that lost its claim are not stored', async () => {
    const base = await embeddedBase();
    await customer.add(base, { name: 'a', text: 'marmalade' });
    await process();
    server.instead = async (asked) => {
      await platform.rows(`update embedding_jobs set claim = 'of another replica'`);
      return standInAnswer(asked);
    };
    await platform.embed();
    expect(await vectors()).toBe(0);
    server.reset();
    await platform.rows(`update embedding_jobs set due_at = '-infinity'`);
    await platform.embed();
    expect(await vectors()).toBe(1);
  });

  it('of content that was replaced meanwhile are not stored, but those of the new content are', async () => {
    const base = await embeddedBase();
    const { document_id } = await customer.add(base, { name: 'a', text: 'marmalade' });
    await process();
    server.reset();
    server.instead = async (asked) => {
      server.instead = () => undefined;
      await customer.put(document_id, 'text/plain', 'An automobile.');
      await process();
      return standInAnswer(asked);
    };
    await platform.embed();
    expect(server.inputs).toEqual([['marmalade'], ['An automobile.']]);
    const [row] = await platform.rows<{ embedding: number[] }>(
      'select embedding from embeddings where organization_id = $1',
      [customer.organizationId],
    );
    expect(row?.embedding).toEqual(standInVector('An automobile.'));
  });

  it('omit a chunk that the server refuses, and are created for the others', async () => {
    const base = await embeddedBase();
    const { document_id } = await customer.add(base, { name: 'a', text: pieces(5) });
    await process();
    server.instead = ({ input }) => (input.some((text) => text.includes('Text 3.')) ? { status: 400 } : undefined);
    await platform.embed();
    expect(await customer.document(document_id)).toMatchObject({
      chunks: 5,
      embedded_chunks: 4,
      embedding_failure: null,
    });
    expect(await platform.rows('select 1 from embedding_jobs')).toEqual([]);
  });

  it('use a replaced credential immediately, and fail with a deleted one', async () => {
    const base = await embeddedBase();
    await customer.add(base, { name: 'wash', text: 'An automobile.' });
    await settle();
    server.secret = 'sk-2';
    expect(await customer.answer(base, 'vehicle')).toMatchObject({ embedding_failure: { code: 'credential_refused' } });
    platform.credentials.replaceSecret(credential, 'sk-2');
    expect(await customer.answer(base, 'vehicle')).toMatchObject({ ranking: 'hybrid', embedding_failure: null });
    platform.credentials.delete(credential);
    server.secret = 'sk-3';
    expect(await customer.answer(base, 'vehicle')).toMatchObject({ embedding_failure: { code: 'credential_missing' } });
  });

  it('of another model are created in the background, and are not compared with those of the previous model', async () => {
    const base = await embeddedBase();
    const { document_id } = await customer.add(base, { name: 'wash', text: 'An automobile.' });
    await settle();
    await change(base, { embeddings: settings({ model: 'other', dimensions: 32 }) });
    expect(await customer.document(document_id)).toMatchObject({ status: 'ready', chunks: 1, embedded_chunks: 0 });
    expect(await names(base, 'vehicle')).toEqual([]);
    expect(await names(base, 'automobile')).toEqual(['wash']);
    await platform.embed();
    expect(await names(base, 'vehicle')).toEqual(['wash']);
    expect(await vectors()).toBe(1);
    await change(base, { embeddings: null });
    expect(await customer.answer(base, 'vehicle')).toMatchObject({
      data: [],
      ranking: 'full_text',
      embedding_failure: null,
    });
    await platform.embed();
    expect(await vectors()).toBe(0);
  });

  it('of different organizations are never mixed, even with the same server and text', async () => {
    const base = await embeddedBase();
    const foreign = platform.customer();
    const theirs = await foreign.base({
      embeddings: settings({ component_credential_id: platform.credentials.add(foreign.organizationId, server.url) }),
    });
    await customer.add(base, { name: 'ours', text: 'An automobile.' });
    await foreign.add(theirs, { name: 'theirs', text: 'An automobile.' });
    await settle();
    const found = async (who: Customer) =>
      (await who.askAll([base, theirs], 'vehicle')).map((hit) => hit.document_name);
    expect(await found(customer)).toEqual(['ours']);
    expect(await found(foreign)).toEqual(['theirs']);
    expect(await customer.askAll([theirs], 'vehicle')).toEqual([]);
  });

  it('are used in a query over several bases, together with bases without embeddings', async () => {
    const [one, other, words] = [
      await embeddedBase(),
      await embeddedBase({ model: 'other', dimensions: 32 }),
      await customer.base(),
    ];
    for (const [base, name] of [
      [one, 'one'],
      [other, 'other'],
      [words, 'words'],
    ] as const)
      await customer.add(base, { name, text: name === 'words' ? 'The vehicle.' : 'An automobile.' });
    await settle();
    const found = await customer.askAll([one, other, words], 'vehicle');
    expect(found.map((hit) => hit.document_name).sort()).toEqual(['one', 'other', 'words']);
  });

  it('of a question are compared exactly with the nearest 500 by their signs, and only the texts of the hits are read', async () => {
    const base = await embeddedBase();
    const { document_id } = await customer.add(base, { name: 'long', text: pieces(600) });
    await settle();
    expect(await vectors()).toBe(600);
    const embedder = { embed: async () => [standInVector('Text 7')] };
    const plans = await explained(platform.database.db, async (db) => {
      const { signs } = platform;
      const asked = { db, embedder, signs, questionMs: patience, asked: () => undefined };
      const answer = await askBases(asked, customer.organizationId, [base], 'Text 7', 5);
      expect(answer).toMatchObject({ ranking: 'hybrid', data: { length: 5 } });
    });
    const of = (table: string) => plans.filter((node) => node['Relation Name'] === table).map(rowsOf);
    expect(of('embeddings')).toEqual([600]);
    expect(of('chunks')).toEqual([5]);
    // Both words of the question in all chunks, in at most 200 for each row, and a sample of both.
    expect(of('postings').reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(4 * Math.ceil(600 / 200));
    const limited = plans.filter((node) => node['Node Type'] === 'Limit').map(rowsOf);
    expect(limited).toEqual(expect.arrayContaining([500, 40]));
    expect(Math.max(...limited)).toBe(500);
    expect((await names(base, 'Text 7'))[0]).toBe('long');
    await customer.ask(routes.deleteKnowledgeDocument, { params: { document_id } });
    await process();
  });

  it('are deleted with their document and their base', async () => {
    const base = await embeddedBase();
    const { document_id } = await customer.add(base, { name: 'a', text: 'An automobile.' });
    await customer.add(base, { name: 'b', text: 'An automobile.' });
    await settle();
    expect(await vectors()).toBe(2);
    await customer.ask(routes.deleteKnowledgeDocument, { params: { document_id } });
    expect(await names(base, 'vehicle')).toEqual(['b']);
    await process();
    expect(await vectors()).toBe(1);
    await customer.ask(routes.deleteKnowledgeBase, { params: { knowledge_base_id: base } });
    await process();
    expect(await vectors()).toBe(0);
    expect(await platform.rows('select 1 from embedding_jobs')).toEqual([]);
  });

  it('are refused with 400 without pgvector, and existing bases are searched by words only', async () => {
    const base = await embeddedBase();
    await customer.add(base, { name: 'wash', text: 'An automobile.' });
    await settle();
    await platform.rows('drop extension vector');
    try {
      await expect(embeddedBase()).rejects.toMatchObject({
        ...badRequest,
        message: expect.stringContaining('pgvector'),
      });
      expect(await customer.answer(base, 'automobile')).toMatchObject({
        data: [{ document_name: 'wash' }],
        embedding_failure: { code: 'extension_missing' },
      });
    } finally {
      await platform.rows('create extension vector');
    }
    expect(await names(base, 'vehicle')).toEqual(['wash']);
  });
});
