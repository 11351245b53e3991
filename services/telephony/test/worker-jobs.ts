import type { EventEnvelope, WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { addNumber, claim, claimOne, cancelCall } from './test-caller';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** The completion report of an answered call. */
export const transcript = { turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] };

/**
 * Two instances whose jobs a test claims. Jobs that a test does not complete would return to the queue when their lease expires, and appear
 * in a later test, so no lease expires here. Reaper tests are in a separate file.
 */
export class WorkerJobs {
  private started: { readonly under: UnderTest; readonly telephony: Instance; readonly second: Instance } | undefined;

  private constructor() {}

  /**
   * Call this once per file: it registers hooks that start the instances before the first test and stop them after the last. Each file sees only its own
   * jobs.
   */
  static ofFile(): WorkerJobs {
    const workers = new WorkerJobs();
    const options = { workerLeaseSeconds: 300 };
    beforeAll(async () => {
      const under = await telephonyUnderTest();
      workers.started = { under, telephony: await under.start(options), second: await under.start(options) };
    });
    afterAll(() => workers.started?.under.stop());
    beforeEach(() => workers.drain());
    return workers;
  }

  get under(): UnderTest {
    return this.running.under;
  }

  get telephony(): Instance {
    return this.running.telephony;
  }

  get second(): Instance {
    return this.running.second;
  }

  async agentWithNumber(): Promise<AgentForCall> {
    const agent = this.under.fakes.addAgent();
    await addNumber(this.telephony, agent);
    return agent;
  }

  /** Claims a job, and checks that it is the job of that call: any other job would be a leftover or out of turn. */
  async claimOf(instance: Instance, call: { readonly call_id: string }): Promise<WorkerJob> {
    const job = await claimOne(instance);
    expect(job.call).toMatchObject({ call_id: call.call_id });
    return job;
  }

  cancel({ organizationId }: { readonly organizationId: string }, callId: string) {
    return cancelCall(this.telephony, organizationId, callId);
  }

  /** Does the reaper's work, long before its gate opens. */
  async giveBack(jobId: string): Promise<void> {
    await this.under.db.query({
      text: `with back as (update jobs set state = 'queued', lease_expires_at = null, worker_id = null where job_id = $1
               returning organization_id)
             update organization_controls c set queued = queued + 1 from back where c.organization_id = back.organization_id`,
      values: [jobId],
    });
  }

  async eventTypes(callId: string): Promise<EventEnvelope['type'][]> {
    const { rows } = await this.under.db.query<{ type: EventEnvelope['type'] }>({
      text: 'select type from call_events where call_id = $1 order by resource_seq',
      values: [callId],
    });
    return rows.map(({ type }) => type);
  }

  /** For every organization: the queued jobs according to its counter, and the actual number. */
  async waiting(): Promise<{ counted: number; waiting: number }[]> {
    const { rows } = await this.under.db.query<{ counted: number; waiting: number }>({
      text: `select c.queued as counted, (select count(*)::int from jobs j where j.organization_id = c.organization_id
               and j.state = 'queued') as waiting from organization_controls c`,
    });
    return rows;
  }

  /** Claims all waiting jobs. */
  private async drain(): Promise<void> {
    while ((await claim(this.telephony, 100)).length > 0);
  }

  private get running() {
    if (this.started === undefined) throw new Error('nothing runs before the first test');
    return this.started;
  }
}
