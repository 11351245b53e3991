import { callStatuses } from '@parley/contract';
import { newId } from '@parley/runtime';
import { operatorCaller, customerCaller } from '@parley/testing';
import { callTransitions } from '../src/books/calls/call-transitions.rules';
import { complete, read, report } from './test-caller';
import { Cancelling, funds, hold } from './cancelling';
import { reachedCalls } from './reached-calls';
import { refusal } from './refusal';
import type { Instance } from './telephony-under-test';

describe('canceling calls', () => {
  const calls = Cancelling.ofFile();

  it('the table of test cases covers every call status and matches callTransitions', () => {
    const known = new Set(callTransitions.flatMap(({ from, to }) => [from, to]));
    const tested = new Set(reachedCalls.map(([, , { status }]) => status));
    expect([...known].filter((status) => !tested.has(status))).toEqual([]);
    expect([...callStatuses].filter((status) => !tested.has(status))).toEqual([]);
    // The response matches the transition table: canceled at once, or on request if there is such a transition or an answered call must end.
    const cancelable = new Set(callTransitions.filter(({ on }) => on === 'cancel').map(({ from }) => from));
    for (const [, , { status, answer }] of reachedCalls) {
      expect(answer !== 409).toBe(cancelable.has(status) || status === 'answered');
    }
  });

  describe.each(['its own key', 'an operator that names no organization'] as const)('with %s', (by) => {
    it.each(reachedCalls)(
      'POST /v1/calls/{call_id}/cancel of a call that is %s: status, job, events and wallet are as expected',
      async (_, reach, expected) => {
        const reached = await reach(calls);
        const { agent, callId } = reached;
        const before = {
          record: await read(calls.at(0), agent, callId),
          events: await calls.typesOf(callId),
          job: await calls.jobOf(callId),
        };
        const money = await calls.accounts(agent);
        expect(before.record.status).toBe(expected.status);
        const ask = (instance: Instance) =>
          by === 'its own key'
            ? calls.cancel(instance, callId, agent.organizationId)
            : calls.cancel(instance, callId, '', operatorCaller);
        if (expected.answer === 409) {
          expect(await refusal(ask(calls.at(0)))).toEqual([409, 'ConflictError']);
          expect(await read(calls.at(1), agent, callId)).toEqual(before.record);
          expect([await calls.typesOf(callId), await calls.jobOf(callId)]).toEqual([before.events, before.job]);
          expect(await calls.jobOf(callId)).toEqual(expected.job);
          expect(await calls.accounts(agent)).toEqual(money);
          expect(money['reserved']).toBe(expected.held);
          return;
        }
        const answered = await ask(calls.at(0));
        expect(answered).toEqual(await read(calls.at(1), agent, callId));
        expect(answered.status).toBe(expected.answer);
        expect(await calls.jobOf(callId)).toEqual(expected.job);
        expect((await calls.accounts(agent))['reserved']).toBe(expected.held);
        const now = expected.answer === 'canceled';
        expect(await calls.typesOf(callId)).toEqual(now ? [...before.events, 'call.canceled'] : before.events);
        if (now) expect(answered).toMatchObject({ ended_reason: 'canceled', canceled_at: answered.updated_at });
        // Repeated: a canceled call stays canceled; a call with a pending request accepts it again.
        if (now) expect(await refusal(ask(calls.at(1)))).toEqual([409, 'ConflictError']);
        else expect(await ask(calls.at(1))).toEqual(answered);
        if (now && reached.job !== undefined) {
          expect(await refusal(report(calls.at(1), reached.job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
          expect(await refusal(complete(calls.at(0), reached.job))).toEqual([409, 'ConflictError']);
        }
        await expected.then?.end(reached, calls);
        const last = await read(calls.at(0), agent, callId);
        expect(last.status).toBe(expected.then?.over ?? 'canceled');
        const endings = last.status === 'completed' ? ['call.ended', 'call.completed'] : ['call.canceled'];
        expect(await calls.typesOf(callId)).toEqual([...before.events, ...endings]);
        const charged = last.status === 'completed' ? last.cost.amount_micros : 0;
        expect(charged).toBeLessThanOrEqual(hold);
        if (last.duration_seconds !== null && last.duration_seconds >= 90) {
          expect(charged).toBe(Math.min(hold, last.duration_seconds * 1_000));
        }
        expect(await calls.accounts(agent)).toMatchObject({
          reserved: 0,
          live: 0,
          queued: 0,
          balance: funds - charged,
          spend: charged,
        });
        expect((await calls.jobOf(callId))?.state).toBe(expected.job === undefined ? undefined : 'done');
      },
    );
  });

  it.each(reachedCalls)(
    "with another organization's key, a call that is %s gets 404 and stays unchanged",
    async (_, reach) => {
      const { agent, callId } = await reach(calls);
      const stranger = calls.under.fakes.addAgent().organizationId;
      const before = [
        await read(calls.at(0), agent, callId),
        await calls.typesOf(callId),
        await calls.jobOf(callId),
        await calls.accounts(agent),
      ];
      expect(await refusal(calls.cancel(calls.at(0), callId, stranger))).toEqual([404, 'NotFoundError']);
      expect(await refusal(calls.cancel(calls.at(1), callId, stranger, operatorCaller))).toEqual([
        404,
        'NotFoundError',
      ]);
      expect(await refusal(calls.cancel(calls.at(1), newId('call'), stranger))).toEqual([404, 'NotFoundError']);
      // Another organization's key with the organization_id of the call.
      expect(await refusal(calls.cancel(calls.at(0), callId, agent.organizationId, customerCaller(stranger)))).toEqual([
        403,
        'ForbiddenError',
      ]);
      expect([
        await read(calls.at(0), agent, callId),
        await calls.typesOf(callId),
        await calls.jobOf(callId),
        await calls.accounts(agent),
      ]).toEqual(before);
    },
  );
});
