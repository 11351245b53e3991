import type { Database, Statement } from '@parley/runtime';
import { AgentsPlatform } from './agents-platform';

describe('concurrent reads by GET /v1/agents/{agent_id}', () => {
  const asked: Statement[] = [];
  const listening = (db: Database): Database => ({
    pool: db.pool,
    query: (statement) => {
      asked.push(statement);
      return db.query(statement);
    },
    transaction: (work) => db.transaction(work),
  });
  let platform: AgentsPlatform;

  beforeAll(async () => {
    platform = await AgentsPlatform.start(listening);
  });

  afterAll(() => platform?.stop());

  it('use one statement per organization, and each returns its own agent', async () => {
    const [one, two] = [platform.customer(), platform.customer()];
    const ids = [await one.agent({ name: 'a' }), await one.agent({ name: 'b' }), await one.agent({ name: 'c' })];
    const other = await two.agent({ name: 'd' });
    asked.length = 0;
    const answers = await Promise.all([...ids.map((id) => one.get(id)), two.get(other), one.get(ids[0] ?? '')]);
    expect(answers.map(({ body }) => body.name)).toEqual(['a', 'b', 'c', 'd', 'a']);
    expect(answers.map(({ body }) => body.agent_id)).toEqual([...ids, other, ids[0]]);
    const organizations = asked.filter(({ name }) => name === 'agent-views').map(({ values }) => values?.[0]);
    expect(organizations.sort()).toEqual([one.organizationId, two.organizationId].sort());
  });

  it('return 404 for an unknown agent and one of another organization, and others succeed', async () => {
    const [one, two] = [platform.customer(), platform.customer()];
    const [mine, foreign] = [await one.agent(), await two.agent()];
    const absent = `${mine.slice(0, -1)}${mine.endsWith('0') ? '1' : '0'}`;
    const [found, ...refused] = await Promise.allSettled([mine, foreign, absent].map((id) => one.get(id)));
    expect(found).toMatchObject({ status: 'fulfilled', value: { body: { agent_id: mine } } });
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'NotFoundError', status: 404 } });
    }
  });
});
