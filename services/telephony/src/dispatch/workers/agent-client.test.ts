import { AgentForCall } from '@parley/proto/agents';
import { documentOf, type OutgoingContext } from '@parley/runtime';
import { agentClient } from './agent-client';

const context = { requestId: 'test' };

/** A fake agents service that returns `answer`, and the requests that it received. */
function agents(answer: Partial<AgentForCall> = {}) {
  const agentSnapshot: { question: unknown; context: OutgoingContext | undefined }[] = [];
  const ask = agentClient({
    getAgentForCall: (question, own) => {
      agentSnapshot.push({ question, context: own });
      return Promise.resolve(AgentForCall.fromPartial({ agentId: 'agt_1', ...answer }));
    },
  });
  return { ask, agentSnapshot };
}

describe('requests of telephony to the agents service', () => {
  it('responses are not cached', async () => {
    const { ask, agentSnapshot } = agents();
    await ask('org_1', 'agt_1', context);
    await ask('org_1', 'agt_1', context);
    expect(agentSnapshot.map(({ question }) => question)).toEqual(
      Array.from({ length: 2 }, () => ({ organizationId: 'org_1', agentId: 'agt_1' })),
    );
  });

  it('are not aborted with the request that caused them, and are sent as a service', async () => {
    const { ask, agentSnapshot } = agents();
    await ask('org_1', 'agt_1', { ...context, signal: new AbortController().signal });
    expect(agentSnapshot[0]?.context).toEqual({
      caller: { keyId: '', organizationId: '', kind: 'service', scopes: [] },
      requestId: 'test',
    });
  });

  it.each([
    [{}, 60_000, 1_740_000],
    [{ turn_taking: { max_call_seconds: 60 } }, 60_000, 60_000],
    [{ turn_taking: { max_call_seconds: 61 } }, 100, 102],
  ])(
    'the hold is the maximum cost of a call: tuning %j at %d micro-USD a minute gives %d',
    async (tuning, costMicrosPerMinute, hold) => {
      const { ask } = agents({
        costMicrosPerMinute: String(costMicrosPerMinute),
        tuning: documentOf('CallTuning', tuning),
      });
      expect((await ask('org_1', 'agt_1', context)).holdMicros).toBe(hold);
    },
  );
});
