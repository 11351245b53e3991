import type { Queryable } from '@parley/runtime';
import { KnownSigns } from './known-signs';
import { packSigns } from './signs.rules';
import type { EmbeddedBase } from './vectors.sql';

const organizationId = 'org';
const vectors = [
  [1, -1, 1],
  [-1, -1, 1],
];
/** As PostgreSQL returns them. */
const stored = Buffer.concat(vectors.map((one, n) => Buffer.from([0, 0, 0, n + 5, packSigns(one)[0] ?? 0])));

const baseOf = (id: string, change: Partial<EmbeddedBase> = {}): EmbeddedBase => ({
  knowledge_base_id: id,
  project_id: 'prj',
  credential: 'cred',
  provider: 'openai',
  model: 'model',
  dimensions: 3,
  dimensions_sent: false,
  embedding_set: 1,
  min_similarity: 0,
  vector_schema: 'public',
  vectors_state: '1 7',
  vectors_complete: true,
  ...change,
});

describe('signs that are kept in memory', () => {
  let reads: number;
  let now: Partial<EmbeddedBase>;
  let failures: unknown[];

  beforeEach(() => {
    reads = 0;
    now = {};
    failures = [];
  });

  const db: Queryable = {
    query: async <R>({ name, values = [] }: Parameters<Queryable['query']>[0]) => {
      const [organization, base] = values;
      if (organization !== organizationId) return { rows: [], rowCount: 0 };
      if (name === 'bases-asked') return { rows: [baseOf(String(base), now)] as R[], rowCount: 1 };
      reads += 1;
      return { rows: [{ document_id: `doc of ${String(base)}`, chunks: stored }] as R[], rowCount: 1 };
    },
  };
  const knownSigns = (mostBytes?: number, from = db) =>
    new KnownSigns(from, (error) => failures.push(error), mostBytes);
  const read = async (known: KnownSigns, ...bases: EmbeddedBase[]): Promise<void> => {
    known.request(organizationId, bases);
    await known.waitForReads();
  };

  it('are read once for each knowledge base, with the positions of the chunks', async () => {
    const known = knownSigns();
    expect(known.find(organizationId, baseOf('a'))).toBeUndefined();
    await read(known, baseOf('a'), baseOf('b'));
    await read(known, baseOf('a'), baseOf('b'));
    expect(reads).toBe(2);
    expect(known.find(organizationId, baseOf('a'))).toMatchObject({
      documentIds: ['doc of a', 'doc of a'],
      positions: Int32Array.of(5, 6),
      signs: Uint32Array.from(vectors.map((one) => packSigns(one)[0] ?? 0)),
    });
  });

  it('are not used for another state of the vectors, and are replaced by those of the new state', async () => {
    const known = knownSigns();
    await read(known, baseOf('a'));
    now = { vectors_state: '1 8' };
    expect(known.find(organizationId, baseOf('a', now))).toBeUndefined();
    await read(known, baseOf('a', now));
    expect(known.find(organizationId, baseOf('a', now))).toBeDefined();
    expect(known.find(organizationId, baseOf('a'))).toBeUndefined();
    expect(reads).toBe(2);
  });

  it('are not kept if the vectors changed while they were read', async () => {
    const known = knownSigns();
    now = { vectors_state: '1 8' };
    await read(known, baseOf('a'));
    expect(reads).toBe(1);
    expect(known.find(organizationId, baseOf('a'))).toBeUndefined();
    expect(known.find(organizationId, baseOf('a', now))).toBeUndefined();
  });

  it('are not read while chunks wait for their vectors', async () => {
    const known = knownSigns();
    await read(known, baseOf('a', { vectors_complete: false }));
    expect(reads).toBe(0);
  });

  it('are never found for another organization', async () => {
    const known = knownSigns();
    await read(known, baseOf('a'));
    expect(known.find('another', baseOf('a'))).toBeUndefined();
    known.request('another', [baseOf('b')]);
    await known.waitForReads();
    expect(known.find('another', baseOf('b'))).toBeUndefined();
  });

  it('of the knowledge base that was not asked for the longest time are forgotten if there is not enough space', async () => {
    // Two chunks of 16 bytes each.
    const known = knownSigns(100);
    await read(known, baseOf('a'), baseOf('b'), baseOf('c'));
    expect(known.find(organizationId, baseOf('a'))).toBeDefined();
    await read(known, baseOf('d'));
    const kept = ['a', 'b', 'c', 'd'].filter((id) => known.find(organizationId, baseOf(id)) !== undefined);
    expect(kept).toEqual(['a', 'c', 'd']);
    const tooSmall = knownSigns(20);
    await read(tooSmall, baseOf('a'));
    expect(tooSmall.find(organizationId, baseOf('a'))).toBeUndefined();
  });

  it('are read again after a failure, for a later question', async () => {
    let broken = true;
    const failing: Queryable = {
      query: (statement) => (broken ? Promise.reject(new Error('lost')) : db.query(statement)),
    };
    const known = knownSigns(undefined, failing);
    await read(known, baseOf('a'));
    expect(failures).toEqual([new Error('lost')]);
    broken = false;
    await read(known, baseOf('a'));
    expect(known.find(organizationId, baseOf('a'))).toBeDefined();
  });
});
