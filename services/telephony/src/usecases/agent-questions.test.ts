import { AgentForCall } from '@parley/proto/agents';
import { documentOf } from '@parley/runtime';
import { AgentQuestions } from './agent-questions';

const context = { requestId: 'test' };

/** Agents that answer when the test says so. */
function asked() {
  const pending: { answer(change?: Partial<AgentForCall>): void; fail(): void }[] = [];
  const client = {
    getAgentForCall: () =>
      new Promise<AgentForCall>((resolve, reject) => {
        pending.push({
          answer: (change = {}) => resolve(AgentForCall.fromPartial({ agentId: 'agt_1', ...change })),
          fail: () => reject(new Error('away')),
        });
      }),
  };
  return { pending, questions: new AgentQuestions(client) };
}

describe('questions about agents', () => {
  it('one answers all who arrived before it began', async () => {
    const { pending, questions } = asked();
    const arrived = [questions.arrival(), questions.arrival(), questions.arrival()];
    const answers = arrived.map((at) => questions.ask('org_1', 'agt_1', at, context));
    expect(pending).toHaveLength(1);
    pending[0]?.answer();
    expect(new Set(await Promise.all(answers)).size).toBe(1);
  });

  it('one that began before somebody arrived does not answer them, however late it ends', async () => {
    const { pending, questions } = asked();
    const first = questions.ask('org_1', 'agt_1', questions.arrival(), context);
    const second = questions.ask('org_1', 'agt_1', questions.arrival(), context);
    expect(pending).toHaveLength(2);
    pending[1]?.answer({ status: 'inactive' });
    pending[0]?.answer({ status: 'active' });
    expect([(await first).agent.status, (await second).agent.status]).toEqual(['active', 'inactive']);
  });

  it('nothing is kept: who comes after the answer asks again; another agent or organization has its own', async () => {
    const { pending, questions } = asked();
    const first = questions.ask('org_1', 'agt_1', questions.arrival(), context);
    pending[0]?.answer();
    await first;
    const others = [
      questions.ask('org_1', 'agt_1', questions.arrival(), context),
      questions.ask('org_1', 'agt_2', questions.arrival(), context),
      questions.ask('', 'agt_1', questions.arrival(), context),
    ];
    expect(pending).toHaveLength(4);
    for (const { answer } of pending) answer();
    await Promise.all(others);
  });

  it('a failure reaches all who waited for it, and the next one asks again', async () => {
    const { pending, questions } = asked();
    const at = [questions.arrival(), questions.arrival()];
    const both = at.map((arrived) => questions.ask('org_1', 'agt_1', arrived, context));
    pending[0]?.fail();
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = questions.ask('org_1', 'agt_1', at[0] ?? 0, context);
    pending[1]?.answer();
    expect((await again).agent.agentId).toBe('agt_1');
  });

  it('does not end with the request that happened to ask', async () => {
    const { pending, questions } = asked();
    const at = [questions.arrival(), questions.arrival()];
    const given = new AbortController();
    const first = questions.ask('org_1', 'agt_1', at[0] ?? 0, { ...context, signal: given.signal });
    const second = questions.ask('org_1', 'agt_1', at[1] ?? 0, context);
    given.abort();
    pending[0]?.answer();
    await Promise.all([first, second]);
  });

  it.each([
    [{}, 60_000, 1_740_000],
    [{ turn_taking: { max_call_seconds: 60 } }, 60_000, 60_000],
    [{ turn_taking: { max_call_seconds: 61 } }, 100, 102],
  ])('holds what the longest call of %j costs at %d a minute: %d', async (tuning, costMicrosPerMinute, hold) => {
    const { pending, questions } = asked();
    const answer = questions.ask('org_1', 'agt_1', questions.arrival(), context);
    pending[0]?.answer({
      costMicrosPerMinute: String(costMicrosPerMinute),
      tuning: documentOf('CallTuning', tuning),
    });
    expect((await answer).holdMicros).toBe(hold);
  });
});
