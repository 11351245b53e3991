import { Api } from './api';
import type { Customer } from './customer';
import { claimedJob, workerKey } from './fuzz/resources';
import type { Platform } from './platform';

/** The calls of a customer's own worker, which uploads their recordings. */
export class RecordedCalls {
  private constructor(
    private readonly platform: Platform,
    private readonly customer: Customer,
    private readonly key: string,
  ) {}

  /** Enables recording for the customer's agent. */
  static async create(platform: Platform, customer: Customer): Promise<RecordedCalls> {
    const operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    const key = await workerKey(operator, customer.organizationId);
    const recording = { recording_enabled: true };
    expect((await customer.api.patch(`/v1/agents/${customer.agentId}`, recording)).status).toBe(200);
    return new RecordedCalls(platform, customer, key);
  }

  /** Returns a call that the worker conducts, and its lease. */
  async talked() {
    const { platform, key } = this;
    const worker = this.customer.api.as(key);
    const { jobId, epoch, callId } = await claimedJob(this.customer, worker);
    const events = [{ type: 'dialing' }, { type: 'answered' }];
    expect((await worker.post(`/v1/worker-jobs/${jobId}/reports`, { epoch, seq: 1, events })).status).toBe(200);
    const job = `/v1/worker-jobs/${jobId}`;
    const putPart = async (n: number, body: Buffer, under = epoch): Promise<number> => {
      // Alternates between the gateways.
      const url = `${platform.baseUrls[n % 2] ?? ''}${job}/recording/parts/${n}?epoch=${under}`;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' };
      return (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status;
    };
    const heartbeat = async (): Promise<void> => {
      const leases = [{ job_id: jobId, epoch }];
      expect((await worker.post('/v1/worker-jobs/heartbeat', { worker_id: 'fuzz-0', leases })).status).toBe(200);
    };
    return { worker, job, epoch, callId, putPart, heartbeat };
  }

  audioOf(callId: string, headers: Record<string, string> = {}, query = ''): Promise<Response> {
    return fetch(`${this.platform.baseUrls[0] ?? ''}/v1/calls/${callId}/recording/audio${query}`, {
      headers: { authorization: `Bearer ${this.customer.key}`, ...headers },
    });
  }

  /** The number of times that the recording was announced. */
  async readyTimes(callId: string): Promise<number> {
    const { body } = await this.customer.api.get<{ data: { type: string }[] }>(`/v1/calls/${callId}/events?limit=100`);
    return body.data.filter(({ type }) => type === 'call.recording.ready').length;
  }
}
