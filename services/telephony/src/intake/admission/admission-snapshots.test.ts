import { AgentForCall } from '@parley/proto/agents';
import { admissionSnapshots, type LoadedSnapshot } from './admission-snapshots';
import type { AgentSnapshot } from '../../dispatch/workers/agent-client';

const row = { now: new Date(0), stored_keys: [], named: [], first: [], suppressed: [], policy: null, revision: null };

/** Admission snapshots whose database queries the test resolves itself. */
function looking() {
  const statements: (() => void)[] = [];
  const questions: { agentId: string; answer(agentSnapshot: AgentSnapshot): void; fail(): void }[] = [];
  const db = { query: () => new Promise<never>((resolve) => statements.push(() => resolve({ rows: [row] } as never))) };
  const snapshots = admissionSnapshots(
    db,
    (_organizationId, agentId) =>
      new Promise((answer, reject) => questions.push({ agentId, answer, fail: () => reject(new Error('away')) })),
  );
  const submit = (agentId: string | undefined) =>
    snapshots.submit('org_1', {
      request: { organizationId: 'org_1', route: 'create-call', key: '', fingerprint: Buffer.alloc(0) },
      from: undefined,
      to: '+15005550006',
      agentId,
      context: { requestId: 'test' },
    });
  return { statements, questions, submit };
}

const agentSnapshot = (status: string): AgentSnapshot => ({
  agent: AgentForCall.fromPartial({ status }),
  tuning: '{}',
  holdMicros: 1,
  translation: undefined,
  answersMessages: false,
  tools: [],
  workflow: undefined,
});

const statusOf = async (looked: Promise<LoadedSnapshot>) => (await (await looked).agentSnapshot)?.agent.status;

const soon = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('snapshots loaded for admissions', () => {
  it('concurrent admissions share one SQL statement and one request per agent', async () => {
    const { statements, questions, submit } = looking();
    const looked = [submit('agt_1'), submit('agt_2'), submit('agt_1'), submit(undefined)];
    await soon();
    expect(statements).toHaveLength(1);
    expect(questions.map(({ agentId }) => agentId)).toEqual(['agt_1', 'agt_2']);
    statements[0]?.();
    for (const question of questions) question.answer(agentSnapshot(question.agentId));
    expect(await Promise.all(looked.map(statusOf))).toEqual(['agt_1', 'agt_2', 'agt_1', undefined]);
  });

  it('an admission does not use a request about the agent that was sent before it arrived', async () => {
    const { statements, questions, submit } = looking();
    const first = submit('agt_1');
    await soon();
    const second = submit('agt_1');
    await soon();
    expect(questions).toHaveLength(1);
    statements[0]?.();
    await first;
    await soon();
    statements[1]?.();
    questions[1]?.answer(agentSnapshot('inactive'));
    questions[0]?.answer(agentSnapshot('active'));
    expect(await Promise.all([first, second].map(statusOf))).toEqual(['active', 'inactive']);
  });

  it('a failed request about one agent does not delay or fail admissions of another agent', async () => {
    const { statements, questions, submit } = looking();
    const looked = [submit('agt_1'), submit('agt_2')];
    await soon();
    statements[0]?.();
    const [one, other] = await Promise.all(looked);
    questions[0]?.fail();
    questions[1]?.answer(agentSnapshot('active'));
    await expect(one?.agentSnapshot).rejects.toThrow('away');
    expect((await other?.agentSnapshot)?.agent.status).toBe('active');
  });
});
