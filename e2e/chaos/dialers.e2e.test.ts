import type { WorkerJob } from '@parley/contract';
import { Api } from '../api';
import { Customer } from '../customer';
import { workerKey } from '../fuzz/resources';
import { Platform } from '../platform';
import { until } from '../until';

const callsOfEach = 25;

/** A worker of one organization. It reports every call as busy, which the simulator does for none of the numbers below. */
class OwnWorker {
  readonly given: string[] = [];
  private stopped = false;
  private readonly loop: Promise<void>;

  private constructor(private readonly api: Api) {
    this.loop = this.work();
  }

  static async start(platform: Platform, customer: Customer): Promise<OwnWorker> {
    const operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    const worker = new OwnWorker(operator.as(await workerKey(operator, customer.organizationId)));
    // The first claim declares the worker's capabilities. Without it no call from the organization's numbers is accepted.
    await worker.claim(0);
    return worker;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
  }

  private async work(): Promise<void> {
    while (!this.stopped) for (const job of await this.claim(1)) await this.conduct(job);
  }

  private async claim(waitSeconds: number): Promise<WorkerJob[]> {
    const claim = { kinds: ['call'], capacity: 10, worker_id: 'own', wait_seconds: waitSeconds };
    return (await this.api.post<{ jobs: WorkerJob[] }>('/v1/worker-jobs/claim', claim)).body.jobs;
  }

  private async conduct({ job_id: jobId, epoch, call }: WorkerJob): Promise<void> {
    this.given.push(call.call_id);
    const events = [{ type: 'dialing' }, { type: 'failed', ended_reason: 'busy' }];
    for (const [nth, event] of events.entries()) {
      await this.api.post(`/v1/worker-jobs/${jobId}/reports`, { epoch, seq: nth + 1, events: [event] });
    }
    await this.api.post(`/v1/worker-jobs/${jobId}/complete`, { epoch, transcript: null });
  }
}

/** A number of the customer, and the calls that are placed from it. */
interface Line {
  readonly customer: Customer;
  readonly from: string;
  readonly placed: string[];
}

describe('workers of two organizations in addition to the hosted engine', () => {
  let platform: Platform;
  const customers: Customer[] = [];
  const workers: OwnWorker[] = [];

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2 });
    customers.push(await Customer.create(platform), await Customer.create(platform));
    for (const customer of customers) workers.push(await OwnWorker.start(platform, customer));
  });

  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await Promise.all(customers.map((customer) => customer.close()));
    await platform?.stop();
  });

  let numbers = 7_000_000;
  async function line(customer: Customer, dialer: 'own' | 'hosted'): Promise<Line> {
    const from = `+1628${(numbers += 1)}`;
    const workspace = { organization_id: customer.organizationId, project_id: customer.projectId };
    const number = { ...workspace, phone_number: from, provider: 'simulator', dialer };
    expect((await customer.api.post('/v1/numbers', number)).status).toBe(201);
    return { customer, from, placed: [] };
  }

  async function place({ customer, from, placed }: Line): Promise<void> {
    const call = { agent_id: customer.agentId, from, to: '+15005550006' };
    const { status, body } = await customer.api.post('/v1/calls', call);
    expect([status, body]).toEqual([201, expect.objectContaining({ from })]);
    placed.push(String(body.call_id));
  }

  it('100 of 100 calls are conducted by the worker of their number', async () => {
    const own = [await line(customers[0] as Customer, 'own'), await line(customers[1] as Customer, 'own')];
    const hosted = [await line(customers[0] as Customer, 'hosted'), await line(customers[1] as Customer, 'hosted')];
    for (let nth = 0; nth < callsOfEach; nth += 1) await Promise.all([...own, ...hosted].map(place));
    const ends = ({ customer, placed }: Line): Promise<string[]> =>
      Promise.all(
        placed.map((callId) =>
          until(`${callId} comes to rest`, async () => {
            const { status, ended_reason: reason } = await customer.readCall(callId);
            return ['completed', 'failed'].includes(status) ? `${status} ${String(reason)}` : undefined;
          }),
        ),
      );
    const all = (end: string): string[] => Array.from({ length: callsOfEach }, () => end);
    for (const one of hosted) expect(await ends(one)).toEqual(all('completed callee_hung_up'));
    for (const one of own) expect(await ends(one)).toEqual(all('failed busy'));
    own.forEach(({ placed }, nth) => expect(workers[nth]?.given.toSorted()).toEqual(placed.toSorted()));
  });
});
