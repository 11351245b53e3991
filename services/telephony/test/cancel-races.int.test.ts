import type { AgentForCall } from '@parley/proto/agents';
import type { WorkerJob } from '@parley/contract';
import { claim, complete, heartbeat, place, read, report, resolveReview } from './test-caller';
import { Cancelling, funds } from './cancelling';
import { inReview } from './reached-calls';
import { refusal } from './refusal';

describe('canceling calls', () => {
  const calls = Cancelling.ofFile();

  describe('concurrently with another write to the same call', () => {
    const many = 12;
    const drained = () => claim(calls.at(0), 100);

    const placedMany = async (agent: AgentForCall): Promise<string[]> => {
      await drained();
      const placed = await Promise.all(Array.from({ length: many }, (_, n) => place(calls.at(n), agent)));
      return placed.map(({ call }) => call.call_id);
    };
    const jobsOf = async (agent: AgentForCall): Promise<Map<string, WorkerJob>> => {
      const jobs = new Map<string, WorkerJob>();
      while (jobs.size < many) {
        for (const job of await claim(calls.at(jobs.size), many, 5)) {
          const call = job.call;
          if (call.organization_id === agent.organizationId) jobs.set(call.call_id, job);
        }
      }
      return jobs;
    };
    const tried = async (promise: Promise<unknown>): Promise<'done' | number> => {
      const [settled] = await Promise.allSettled([promise]);
      return settled.status === 'fulfilled' ? 'done' : (await refusal(promise))[0];
    };
    /** Runs both concurrently, started in either order. */
    const both = async <A, B>(n: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> => {
      if (n % 2 === 0) return Promise.all([one(), other()]);
      const [second, first] = await Promise.all([other(), one()]);
      return [first, second];
    };
    const terminal = ['call.canceled', 'call.failed', 'call.completed'];
    const endingsOf = async (callId: string) => (await calls.typesOf(callId)).filter((type) => terminal.includes(type));

    it('a claim: every call is canceled once; a worker that claimed it first gets no permit', async () => {
      const agent = await calls.prepared();
      const ids = await placedMany(agent);
      const [, claims] = await Promise.all([
        Promise.all(ids.map((id, n) => calls.cancel(calls.at(n), id, agent.organizationId))),
        Promise.all([claim(calls.at(0), 5), claim(calls.at(1), 5)]),
      ]);
      for (const job of claims.flat()) {
        expect(await refusal(report(calls.at(1), job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
      }
      for (const id of ids) {
        expect((await read(calls.at(0), agent, id)).status).toBe('canceled');
        expect(await calls.typesOf(id)).toEqual(['call.created', 'call.queued', 'call.canceled']);
      }
      expect(await drained()).toEqual([]);
      expect(await calls.accounts(agent)).toMatchObject({ reserved: 0, live: 0, queued: 0, balance: funds });
    });

    it('the permit: refused if the cancellation was first, else the worker is instructed to hang up; the call is canceled once', async () => {
      const agent = await calls.prepared();
      const ids = await placedMany(agent);
      const jobs = await jobsOf(agent);
      const permits = await Promise.all(
        ids.map(async (id, n) => {
          const job = jobs.get(id) as WorkerJob;
          const [permit, canceled] = await both(
            n,
            () => tried(report(calls.at(n), job, 1, 'dialing')),
            () => tried(calls.cancel(calls.at(n + 1), id, agent.organizationId)),
          );
          expect(canceled).toBe('done');
          if (permit !== 'done') expect(permit).toBe(409);
          else expect(await heartbeat(calls.at(n), job)).toMatchObject({ cancel_requested: true });
          if (permit === 'done') await report(calls.at(n), job, 3, { type: 'failed', ended_reason: 'no_answer' });
          return permit === 'done';
        }),
      );
      for (const [index, id] of ids.entries()) {
        const dialed = permits[index] === true ? ['call.dialing'] : [];
        expect(await calls.typesOf(id)).toEqual(['call.created', 'call.queued', ...dialed, 'call.canceled']);
        expect(await read(calls.at(0), agent, id)).toMatchObject({ status: 'canceled', ended_reason: 'canceled' });
      }
      expect(await calls.accounts(agent)).toMatchObject({ reserved: 0, live: 0, queued: 0, balance: funds });
    });

    it.each([
      ['was not answered', ['dialing'], { first: 'canceled', late: 'failed' }],
      ['was answered', ['dialing', 'answered'], { first: 'completed', late: 'completed' }],
    ] as const)('the completion of a call that %s: one final status with one event', async (_, reported, ends) => {
      const agent = await calls.prepared();
      const ids = await placedMany(agent);
      const jobs = await jobsOf(agent);
      await Promise.all(ids.map((id, n) => report(calls.at(n), jobs.get(id) as WorkerJob, 1, ...reported)));
      const outcomes = await Promise.all(
        ids.map((id, n) =>
          both(
            n,
            () => tried(complete(calls.at(n), jobs.get(id) as WorkerJob)),
            () => tried(calls.cancel(calls.at(n + 1), id, agent.organizationId)),
          ),
        ),
      );
      let charged = 0;
      for (const [index, id] of ids.entries()) {
        const [done, canceled] = outcomes[index] ?? [];
        expect(done).toBe('done');
        expect(['done', 409]).toContain(canceled);
        const record = await read(calls.at(0), agent, id);
        expect(record.status).toBe(canceled === 'done' ? ends.first : ends.late);
        expect(await endingsOf(id)).toEqual([`call.${record.status}`]);
        charged += record.cost.amount_micros;
        expect((await calls.jobOf(id))?.state).toBe('done');
      }
      expect(await calls.accounts(agent)).toMatchObject({ reserved: 0, live: 0, queued: 0, balance: funds - charged });
    });

    it('a concurrent approval of a review: the call is canceled in any case, and the approval succeeds or gets 409', async () => {
      const { agent } = await inReview(calls);
      const { organizationId } = agent;
      const ids = await Promise.all(
        Array.from({ length: many }, async (_, n) => (await place(calls.at(n), agent)).call.call_id),
      );
      await Promise.all(
        ids.map(async (callId, n) => {
          const [approved, canceled] = await both(
            n,
            () => tried(resolveReview(calls.at(n), organizationId, callId)),
            () => tried(calls.cancel(calls.at(n + 1), callId, organizationId)),
          );
          expect(canceled).toBe('done');
          expect(['done', 409]).toContain(approved);
          expect(await calls.typesOf(callId)).toEqual([
            'call.created',
            ...(approved === 'done' ? ['call.queued'] : []),
            'call.canceled',
          ]);
        }),
      );
      expect(await calls.accounts(agent)).toMatchObject({ reserved: 0, live: 0, queued: 0, balance: funds });
    });
  });
});
