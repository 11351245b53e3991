import { internal } from '@parley/errors';
import type { Database, Statement } from '@parley/runtime';
import { AgentsPlatform, type Customer } from './agents-platform';

/** Agents that are created concurrently are inserted by shared statements. */
describe('agents created concurrently', () => {
  let platform: AgentsPlatform;
  let customer: Customer;
  /** The number of agents of each INSERT so far. */
  const insertions: number[] = [];
  /** Thrown by an INSERT of several agents, if set. */
  let failure: Error | undefined;

  const watched = (db: Database): Database => ({
    pool: db.pool,
    transaction: (work) => db.transaction(work),
    query<R>(statement: Statement) {
      const [, count] = /^agents-insert-(\d+)$/.exec(statement.name ?? '') ?? [];
      if (count !== undefined) {
        insertions.push(Number(count));
        if (failure !== undefined && Number(count) > 1) return Promise.reject(failure);
      }
      return db.query<R>(statement);
    },
  });

  beforeAll(async () => {
    platform = await AgentsPlatform.start(watched);
  });
  afterAll(() => platform?.stop());
  beforeEach(() => {
    customer = platform.customer();
    insertions.length = 0;
    failure = undefined;
  });

  const created = async () => {
    const rows = await platform.rows('select agent_id, view from agents where organization_id = $1 order by agent_id', [
      customer.organizationId,
    ]);
    const acts = await platform.rows('select id from outbox where payload like $1', [`%${customer.organizationId}%`]);
    return { agents: rows.map(({ agent_id }) => String(agent_id)), acts: acts.length };
  };

  it('share INSERT statements; each Idempotency-Key creates one agent, and each agent has its audit event', async () => {
    const keys = ['b', 'a', '', 'a', 'c', '', 'b', 'a'];
    const answers = await Promise.all(keys.map((key, nth) => customer.create({ name: key || `agent ${nth}` }, key)));
    const ids = answers.map(({ body }) => String(body.agent_id));
    const { agents, acts } = await created();
    expect([...new Set(ids)].sort()).toEqual(agents);
    expect([agents.length, acts]).toEqual([5, 5]);
    expect([ids[3], ids[7], ids[6]]).toEqual([ids[1], ids[1], ids[0]]);
    for (const [nth, { body }] of answers.entries()) {
      expect(body.name).toBe(keys[nth] || `agent ${nth}`);
      expect((await customer.get(String(body.agent_id))).body).toEqual(body);
    }
    expect(insertions.length).toBeLessThan(keys.length);
  });

  it('agents of different organizations never share a statement', async () => {
    const other = platform.customer();
    const [one, two] = await Promise.all([customer.create({ name: 'one' }), other.create({ name: 'two' })]);
    expect(insertions).toEqual([1, 1]);
    expect([one?.body.organization_id, two?.body.organization_id]).toEqual([
      customer.organizationId,
      other.organizationId,
    ]);
  });

  it('are inserted one by one if the common statement fails', async () => {
    failure = new Error('invalid byte sequence');
    const answers = await Promise.all(['a', 'b', ''].map((key) => customer.create({}, key)));
    expect(answers.map(({ body }) => String(body.agent_id)).sort()).toEqual((await created()).agents);
    expect((await created()).acts).toBe(3);
    expect(insertions.filter((count) => count === 1)).toHaveLength(3);
  });

  it('all fail and are not inserted again if the connection is lost, because the result is unknown', async () => {
    failure = internal(new Error('connection lost'), 503);
    const outcomes = await Promise.allSettled(['', '', ''].map((key) => customer.create({}, key)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(insertions).toEqual([3]);
    expect((await created()).agents).toEqual([]);
  });
});
