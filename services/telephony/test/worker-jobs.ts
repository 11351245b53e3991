import type { EventEnvelope, WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { addNumber, claim, claimOne, cancelCall } from './test-caller';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** What a worker says of a call that was talked. */
export const transcript = { turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] };

/**
 * Two instances whose jobs a test claims. What it claims and leaves goes back when its lease runs out, as it must, and would turn up in
 * a later test: here no lease runs out. The reaper has a file of its own.
 */
export class WorkerJobs {
  private started: { readonly under: UnderTest; readonly telephony: Instance; readonly second: Instance } | undefined;

  private constructor() {}

  /** To be called once a file: it is there before the first of its tests and until after the last. Each sees its own jobs alone. */
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

  /** Claims, and makes sure that it is the job of that call: another one would be a leftover, or a wrong turn. */
  async claimOf(instance: Instance, call: { readonly call_id: string }): Promise<WorkerJob> {
    const job = await claimOne(instance);
    expect(job.call).toMatchObject({ call_id: call.call_id });
    return job;
  }

  cancel({ organizationId }: { readonly organizationId: string }, callId: string) {
    return cancelCall(this.telephony, organizationId, callId);
  }

  /** Does what the reaper would, long before its gate opens. */
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

  /** Of every organization: how many jobs its counter has waiting, and how many wait. */
  async waiting(): Promise<{ counted: number; waiting: number }[]> {
    const { rows } = await this.under.db.query<{ counted: number; waiting: number }>({
      text: `select c.queued as counted, (select count(*)::int from jobs j where j.organization_id = c.organization_id
               and j.state = 'queued') as waiting from organization_controls c`,
    });
    return rows;
  }

  /** Takes every job that waits. */
  private async drain(): Promise<void> {
    while ((await claim(this.telephony, 100)).length > 0);
  }

  private get running() {
    if (this.started === undefined) throw new Error('nothing runs before the first test');
    return this.started;
  }
}
