import type { CampaignAttemptRecord, WorkerJob } from '@parley/contract';
import { eventually } from '@parley/testing';
import { withdrawCall } from '../src/campaigns/withdraw-call';
import { claim, complete, heartbeat, read, report, resolveReview } from './test-caller';
import { CampaignClient, CampaignWorker, claimed } from './test-campaign';
import { Cancelling, funds, hold } from './cancelling';
import { setPolicy } from './organization-of';
import { refusal } from './refusal';

const many = 8;
const rounds = [1, 2, 3];
/** Callees that answer. */
const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => `+1415${300_000 + n}6`);
const nothingOpen = { reserved: 0, live: 0, queued: 0 };

describe('a paused or canceled campaign withdraws its calls that are not dialed yet', () => {
  const calls = Cancelling.ofFile();

  const requireConsent = ({ instance, agent }: CampaignClient, mode: 'enforce' | 'off') =>
    setPolicy(instance, agent.organizationId, { consent_required: { mode, action: 'review' } });

  interface Begun {
    readonly client: CampaignClient;
    readonly id: string;
    readonly attempts: readonly (CampaignAttemptRecord & { readonly call_id: string })[];
  }

  const withCalls = async (client: CampaignClient, id: string): Promise<Begun> => {
    const attempts = await client.attempts(id);
    return { client, id, attempts: attempts.map((attempt) => ({ ...attempt, call_id: attempt.call_id as string })) };
  };
  /** A campaign whose calls all wait for a review. */
  const inReview = async (count: number): Promise<Begun> => {
    const client = new CampaignClient(calls.at(0), await calls.prepared());
    await requireConsent(client, 'enforce');
    const { campaign_id: id } = await client.launched(numbers(count));
    await client.until(id, ({ statistics }) => statistics.in_review === count);
    return withCalls(client, id);
  };
  /** A campaign whose calls all wait for a worker. */
  const inQueue = async (count: number): Promise<Begun> => {
    const client = new CampaignClient(calls.at(0), await calls.prepared());
    const { campaign_id: id } = await client.launched(numbers(count));
    // A placed call is recorded in its attempt a moment later.
    await eventually(async () => {
      const placed = await client.attempts(id, { status: 'placed' });
      return placed.length === count ? true : undefined;
    });
    return withCalls(client, id);
  };

  const withdraw = ({ client }: Begun, { attempt_id, call_id }: Begun['attempts'][number]) =>
    withdrawCall(
      { db: calls.under.db, onCommit: () => undefined },
      { organizationId: client.agent.organizationId, attemptId: attempt_id, callId: call_id },
    );
  const approve = ({ client: { agent } }: Begun, callId: string, n = 0) => {
    const { organizationId } = agent;
    return resolveReview(calls.at(n), organizationId, callId);
  };
  /** The status of the refusal, or `done`. */
  const tried = async (promise: Promise<unknown>): Promise<'done' | number> => {
    const [settled] = await Promise.allSettled([promise]);
    return settled.status === 'fulfilled' ? 'done' : (await refusal(promise))[0];
  };
  /** Starts all concurrently, in one order or in reverse. */
  const atOnce = (n: number, all: (() => Promise<void>)[]): Promise<void[]> =>
    Promise.all((n % 2 === 0 ? all : all.toReversed()).map((each) => each()));
  const stateOf = async (job: WorkerJob) => (await heartbeat(calls.at(0), job))?.state;

  /** Locks a row during `work`, which can wait until this many transactions wait for the lock, directly or indirectly. */
  const holding = (
    statement: { text: string; values: unknown[] },
    work: (waiting: (count: number) => Promise<true>) => Promise<void>,
  ): Promise<void> =>
    calls.under.db.transaction(async (tx) => {
      await tx.query(statement);
      const { rows } = await tx.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
      await work((count) => eventually(async () => ((await waitersOf(rows[0]?.pid)) >= count ? true : undefined)));
    });
  const waitersOf = async (pid: number | undefined): Promise<number> => {
    const { rows } = await calls.under.db.query<{ count: number }>({
      text: `with recursive blocked (pid) as (
               select $1::integer
               union
               select a.pid from pg_stat_activity a join blocked b on b.pid = any(pg_blocking_pids(a.pid))
               where a.datname = current_database())
             select count(*)::integer - 1 as count from blocked`,
      values: [pid],
    });
    return rows[0]?.count ?? 0;
  };
  const hotRow = ({ client }: Begun) => ({
    text: 'select 1 from organization_controls where organization_id = $1 for update',
    values: [client.agent.organizationId],
  });
  /** Checks that the call was not dialed: it was canceled once, and everything reserved was released. */
  const takenBack = async ({ client }: Begun, callId: string, before: readonly string[]): Promise<void> => {
    expect(await read(calls.at(1), client.agent, callId)).toMatchObject({
      status: 'canceled',
      ended_reason: 'canceled',
      dialing_at: null,
    });
    expect(await calls.typesOf(callId)).toEqual([...before, 'call.canceled']);
  };
  const wasQueued = ['call.created', 'call.queued'];

  /** Resumes a paused campaign until its end: every contact is called once, including those whose calls were withdrawn. */
  const goesOn = async ({ client, id }: Begun, dialed: readonly string[] = []): Promise<void> => {
    await requireConsent(client, 'off');
    await client.resume(id);
    const worker = new CampaignWorker(calls.at(1));
    const { statistics } = await client.until(id, ({ status }) => status === 'completed');
    await worker.stop();
    expect([...dialed, ...worker.dialed].sort()).toEqual(numbers(statistics.contacts));
    expect(statistics).toMatchObject({
      pending: 0,
      attempts: statistics.contacts,
      outcomes: { answered: statistics.contacts, canceled: 0 },
    });
    expect(await calls.accounts(client.agent)).toMatchObject(nothingOpen);
  };

  describe('concurrently with the approval of a review', () => {
    it('a call approved during the withdrawal is canceled, with its job, in the next run of the campaign', async () => {
      const begun = await inReview(1);
      const { client, id, attempts } = begun;
      const [attempt] = attempts as [Begun['attempts'][number]];
      let approved: Promise<unknown> | undefined;
      await holding(hotRow(begun), async (waiting) => {
        // The approval holds the call, and has inserted a job that is not committed yet.
        approved = approve(begun, attempt.call_id);
        await waiting(1);
        await client.cancel(id);
        await waiting(2);
      });
      await approved;
      const after = await client.until(id, ({ statistics }) => statistics.live + statistics.in_review === 0);
      await takenBack(begun, attempt.call_id, wasQueued);
      expect(await calls.jobOf(attempt.call_id)).toEqual({ state: 'done', asked: false });
      expect(await calls.accounts(client.agent)).toMatchObject({ ...nothingOpen, balance: funds });
      expect(await claim(calls.at(1), 10)).toEqual([]);
      expect(after.statistics.outcomes.canceled).toBe(1);
    });

    it('approving a call that was withdrawn first gets 409 and reserves no money', async () => {
      const begun = await inReview(1);
      const { client, id, attempts } = begun;
      const [attempt] = attempts as [Begun['attempts'][number]];
      const row = {
        text: 'select 1 from campaign_attempts where organization_id = $1 and attempt_id = $2 for update',
        values: [client.agent.organizationId, attempt.attempt_id],
      };
      let approved: Promise<'done' | number> | undefined;
      await holding(row, async (waiting) => {
        await client.cancel(id);
        // The withdrawal holds the call, and is about to update the attempt.
        await waiting(1);
        approved = tried(approve(begun, attempt.call_id));
        await waiting(2);
      });
      expect(await approved).toBe(409);
      await client.until(id, ({ statistics }) => statistics.live + statistics.in_review === 0);
      await takenBack(begun, attempt.call_id, ['call.created']);
      expect(await calls.jobOf(attempt.call_id)).toBeUndefined();
      expect(await calls.accounts(client.agent)).toMatchObject({ ...nothingOpen, balance: funds });
    });

    it.each(rounds)(
      'in either order, each call is canceled once; after a resume each contact is called once (round %i)',
      async () => {
        const begun = await inReview(many);
        const { client, id, attempts } = begun;
        await client.pause(id);
        const approvals = new Map<string, 'done' | number>();
        const decide = async (callId: string, n: number): Promise<void> => {
          approvals.set(callId, await tried(approve(begun, callId, n)));
        };
        await Promise.all(
          attempts.map((attempt, n) => atOnce(n, [() => decide(attempt.call_id, n), () => withdraw(begun, attempt)])),
        );
        // Approved calls that the withdrawal missed are withdrawn by the campaign itself, which is paused.
        await client.until(id, ({ statistics }) => statistics.live + statistics.in_review === 0);
        for (const { call_id } of attempts) {
          expect(['done', 409]).toContain(approvals.get(call_id));
          const approved = approvals.get(call_id) === 'done';
          await takenBack(begun, call_id, approved ? wasQueued : ['call.created']);
          expect((await calls.jobOf(call_id))?.state).toBe(approved ? 'done' : undefined);
        }
        expect(await calls.accounts(client.agent)).toMatchObject({ ...nothingOpen, balance: funds, spend: 0 });
        expect(await claim(calls.at(1), 100)).toEqual([]);
        await goesOn(begun);
      },
    );
  });

  describe('concurrently with the claim of a worker', () => {
    it('a call withdrawn after its claim is canceled and counted once; its worker gets 409 instead of a permit', async () => {
      const begun = await inQueue(1);
      const { client, id, attempts } = begun;
      const [attempt] = attempts as [Begun['attempts'][number]];
      expect(await calls.accounts(client.agent)).toMatchObject({ queued: 1, reserved: hold });
      let claiming: Promise<WorkerJob[]> | undefined;
      await holding(hotRow(begun), async (waiting) => {
        // The claim holds the job, and is about to update the counters.
        claiming = claim(calls.at(0), 1, 20);
        await waiting(1);
        await client.pause(id);
        await waiting(2);
      });
      const [job] = (await claiming) as [WorkerJob];
      expect(job.call.call_id).toBe(attempt.call_id);
      await client.until(id, ({ statistics }) => statistics.live === 0);
      await takenBack(begun, attempt.call_id, wasQueued);
      expect(await calls.accounts(client.agent)).toMatchObject({ ...nothingOpen, balance: funds });
      expect(await refusal(report(calls.at(1), job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
      expect(await refusal(complete(calls.at(0), job))).toEqual([409, 'ConflictError']);
      expect(await stateOf(job)).toBe('lost');
      await goesOn(begun);
    });

    it('a call withdrawn before its claim cannot be claimed', async () => {
      const begun = await inQueue(1);
      const { client, id, attempts } = begun;
      const [attempt] = attempts as [Begun['attempts'][number]];
      await holding(hotRow(begun), async (waiting) => {
        await client.pause(id);
        // The withdrawal holds call and job, and is about to release the hold.
        await waiting(1);
        for (const n of [0, 1]) expect(await claim(calls.at(n), 10)).toEqual([]);
      });
      await client.until(id, ({ statistics }) => statistics.live === 0);
      for (const n of [0, 1]) expect(await claim(calls.at(n), 10)).toEqual([]);
      await takenBack(begun, attempt.call_id, wasQueued);
      expect(await calls.jobOf(attempt.call_id)).toEqual({ state: 'done', asked: false });
      expect(await calls.accounts(client.agent)).toMatchObject({ ...nothingOpen, balance: funds });
      await goesOn(begun);
    });

    it.each(rounds)(
      'and with the permit: each call is either canceled or dialed; after a resume each contact is called once (round %i)',
      async (round) => {
        const begun = await inQueue(many);
        const { client, id, attempts } = begun;
        // Some jobs already have a worker, which requests the permit at that moment.
        const held = await claimed(calls.at(1), round);
        const talked: WorkerJob[] = [];
        const permit = async (n: number, job: WorkerJob): Promise<void> => {
          const answer = await tried(report(calls.at(n), job, 1, 'dialing'));
          expect(['done', 409]).toContain(answer);
          if (answer === 'done') talked.push(job);
        };
        await client.pause(id);
        await atOnce(round, [
          ...attempts.map((attempt) => () => withdraw(begun, attempt)),
          ...held.map((job) => () => permit(1, job)),
          async () => {
            for (const job of await claim(calls.at(0), 2)) await permit(0, job);
          },
        ]);
        for (const job of talked) {
          await report(calls.at(0), job, 2, 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
          await complete(calls.at(1), job, undefined, 'human');
        }
        await client.until(id, ({ statistics }) => statistics.live === 0);
        const dialed = new Map(talked.map((job) => [job.call.call_id, job.call.to ?? '']));
        for (const { call_id } of attempts) {
          if (!dialed.has(call_id)) await takenBack(begun, call_id, wasQueued);
          else {
            const talk = ['call.dialing', 'call.answered', 'call.ended', 'call.completed'];
            expect(await calls.typesOf(call_id)).toEqual([...wasQueued, ...talk]);
          }
          expect((await calls.jobOf(call_id))?.state).toBe('done');
        }
        expect(await calls.accounts(client.agent)).toMatchObject(nothingOpen);
        expect(await claim(calls.at(1), 100)).toEqual([]);
        await goesOn(begun, [...dialed.values()]);
      },
    );
  });
});
