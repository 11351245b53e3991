import { createHash, randomBytes } from 'node:crypto';
import { Api } from './api';
import { Customer } from './customer';
import { claimedJob, workerKey } from './fuzz/resources';
import { Platform } from './platform';
import { until } from './until';

/** Recordings seen from outside: a worker of the customer's own hands them in, a player reads them. */
describe('recordings', () => {
  let platform: Platform;
  let customer: Customer;
  let key: string;

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2, leaseSeconds: 10 });
    customer = await Customer.create(platform);
    const operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    key = await workerKey(operator, customer.organizationId);
    const recording = { recording_enabled: true };
    expect((await customer.api.patch(`/v1/agents/${customer.agentId}`, recording)).status).toBe(200);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  /** A call that our worker talks, and its lease. */
  const talked = async () => {
    const worker = customer.api.as(key);
    const { jobId, epoch, callId } = await claimedJob(customer, worker);
    const events = [{ type: 'dialing' }, { type: 'answered' }];
    expect((await worker.post(`/v1/worker-jobs/${jobId}/reports`, { epoch, seq: 1, events })).status).toBe(200);
    const job = `/v1/worker-jobs/${jobId}`;
    const putPart = async (n: number, body: Buffer, under = epoch): Promise<number> => {
      // Each through another gateway.
      const url = `${platform.baseUrls[n % 2] ?? ''}${job}/recording/parts/${n}?epoch=${under}`;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' };
      return (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status;
    };
    return { worker, job, epoch, callId, putPart };
  };

  const audioOf = (callId: string, headers: Record<string, string> = {}) =>
    fetch(`${platform.baseUrls[0] ?? ''}/v1/calls/${callId}/recording/audio`, {
      headers: { authorization: `Bearer ${customer.key}`, ...headers },
    });

  const readyTimes = async (callId: string): Promise<number> => {
    const { body } = await customer.api.get<{ data: { type: string }[] }>(`/v1/calls/${callId}/events?limit=100`);
    return body.data.filter(({ type }) => type === 'call.recording.ready').length;
  };

  it('is handed in by part and read in ranges', async () => {
    const { worker, job, epoch, callId, putPart } = await talked();
    const parts = [randomBytes(1024 * 1024), randomBytes(32_000)] as const;
    expect(await putPart(1, parts[0])).toBe(200);
    expect(await putPart(1, parts[0])).toBe(200);
    expect(await putPart(1, parts[1])).toBe(409);
    expect(await putPart(2, parts[1], epoch + 1)).toBe(409);
    expect(await putPart(2, Buffer.alloc(1024 * 1024 + 2))).toBe(413);
    expect(await putPart(2, parts[1])).toBe(200);
    const sound = Buffer.concat(parts);
    const sha256 = createHash('sha256').update(sound).digest('hex');
    const together = { epoch, parts: 2, format: 'mulaw', duration_ms: 67_536, sha256 };
    expect((await worker.post(`${job}/recording/complete`, { ...together, parts: 3 })).status).toBe(409);
    expect((await worker.post(`${job}/recording/complete`, together)).status).toBe(200);
    const ended = [{ type: 'ended', ended_reason: 'callee_hung_up' }];
    expect((await worker.post(`${job}/reports`, { epoch, seq: 2, events: ended })).status).toBe(200);
    expect((await worker.post(`${job}/complete`, { epoch })).status).toBe(200);
    const whole = await until('the recording', async () => {
      const answer = await audioOf(callId);
      return answer.status === 200 ? answer : undefined;
    });
    expect(whole.headers.get('content-type')).toBe('audio/wav');
    const wave = Buffer.from(await whole.arrayBuffer());
    expect(wave.subarray(58).equals(sound)).toBe(true);
    const range = await audioOf(callId, {
      range: 'bytes=1048630-1048640',
      'if-range': whole.headers.get('etag') ?? '',
    });
    expect([range.status, range.headers.get('content-range')]).toEqual([206, `bytes 1048630-1048640/${wave.length}`]);
    expect(Buffer.from(await range.arrayBuffer()).equals(wave.subarray(1_048_630, 1_048_641))).toBe(true);
    expect(await readyTimes(callId)).toBe(1);
  });

  it('of a worker that falls silent is what it handed in', async () => {
    const { callId, putPart } = await talked();
    const sound = randomBytes(16_000);
    expect(await putPart(1, sound)).toBe(200);
    // Nothing more is heard of it; the platform's own engine is.
    const answer = await until('the recording of a lost worker', async () => {
      const asked = await audioOf(callId);
      return asked.status === 200 ? asked : undefined;
    });
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(58)
        .equals(sound),
    ).toBe(true);
    expect(await readyTimes(callId)).toBe(1);
    expect(await putPart(2, sound)).toBe(409);
    const { body } = await customer.api.get(`/v1/calls/${callId}`);
    expect(body).toMatchObject({ status: 'completed', ended_reason: 'worker_lost' });
  });
});
