import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { Api } from './api';
import { Customer } from './customer';
import { claimedJob, workerKey } from './fuzz/resources';
import { Platform } from './platform';
import { until } from './until';

/** Recordings, tested over the API: a worker of the customer uploads them, and a player reads them. */
describe('recordings', () => {
  let platform: Platform;
  let customer: Customer;
  let key: string;
  let database: pg.Client;

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2, leaseSeconds: 10 });
    customer = await Customer.create(platform);
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
    const operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    key = await workerKey(operator, customer.organizationId);
    const recording = { recording_enabled: true };
    expect((await customer.api.patch(`/v1/agents/${customer.agentId}`, recording)).status).toBe(200);
  });

  afterAll(async () => {
    await database?.end();
    await customer?.close();
    await platform?.stop();
  });

  /** Returns a call that this test's worker conducts, and its lease. */
  const talked = async () => {
    const worker = customer.api.as(key);
    const { jobId, epoch, callId } = await claimedJob(customer, worker);
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
  };

  const audioOf = (callId: string, headers: Record<string, string> = {}, query = '') =>
    fetch(`${platform.baseUrls[0] ?? ''}/v1/calls/${callId}/recording/audio${query}`, {
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
    expect(whole.headers.get('content-type')).toBe('audio/ogg');
    const file = Buffer.from(await whole.arrayBuffer());
    expect([file.toString('latin1', 0, 4), file.toString('latin1', 28, 36)]).toEqual(['OggS', 'OpusHead']);
    // Less than two fifths of the size of what was uploaded.
    expect(file.length / sound.length).toBeLessThan(0.4);
    expect((await customer.api.get(`/v1/calls/${callId}/recording`)).body).toMatchObject({
      format: 'ogg',
      duration_ms: 67_536,
      size_bytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    });
    const range = await audioOf(callId, {
      range: 'bytes=300000-300010',
      'if-range': whole.headers.get('etag') ?? '',
    });
    expect([range.status, range.headers.get('content-range')]).toEqual([206, `bytes 300000-300010/${file.length}`]);
    expect(Buffer.from(await range.arrayBuffer()).equals(file.subarray(300_000, 300_011))).toBe(true);
    const decoded = await audioOf(callId, {}, '?format=wav');
    expect(decoded.headers.get('content-type')).toBe('audio/wav');
    expect(decoded.headers.get('etag')).not.toBe(whole.headers.get('etag'));
    const wave = Buffer.from(await decoded.arrayBuffer());
    expect([wave.length, wave.readUInt16LE(20), wave.readUInt32LE(54)]).toEqual([58 + sound.length, 7, sound.length]);
    // A range across the boundary of two decoded blocks.
    const middle = await audioOf(callId, { range: 'bytes=480000-480100' }, '?format=wav');
    expect(Buffer.from(await middle.arrayBuffer()).equals(wave.subarray(480_000, 480_101))).toBe(true);
    expect((await audioOf(callId, {}, '?format=mp3')).status).toBe(400);
    expect(await readyTimes(callId)).toBe(1);
  });

  it('is whole, and announced once, if every telephony process is killed while the file is made', async () => {
    const minutes = 10;
    const parts = Array.from({ length: minutes }, () => randomBytes(960_000));
    const sound = Buffer.concat(parts);
    const sha256 = createHash('sha256').update(sound).digest('hex');
    /** Returns a call with that sound after its end. */
    const ended = async (): Promise<string> => {
      const { worker, job, epoch, callId, putPart, heartbeat } = await talked();
      for (const [n, part] of parts.entries()) {
        expect(await putPart(n + 1, part)).toBe(200);
        await heartbeat();
      }
      const together = { epoch, parts: minutes, format: 'mulaw', duration_ms: minutes * 60_000, sha256 };
      expect((await worker.post(`${job}/recording/complete`, together)).status).toBe(200);
      const events = [{ type: 'ended', ended_reason: 'callee_hung_up' }];
      expect((await worker.post(`${job}/reports`, { epoch, seq: 2, events })).status).toBe(200);
      expect((await worker.post(`${job}/complete`, { epoch })).status).toBe(200);
      return callId;
    };
    const uploadOf = async (callId: string) => {
      const { rows } = await database.query<{ state: string; file: string | null; files: string[]; parts: number }>(
        `select state, file_id as file,
           array(select file_id from telephony.recording_files f where f.call_id = u.call_id) as files,
           (select count(*)::integer from telephony.recording_parts p where p.call_id = u.call_id) as parts
         from telephony.recording_uploads u where call_id = $1`,
        [callId],
      );
      return rows[0];
    };
    const settled = (callId: string) =>
      until('the recording', async () => {
        const upload = await uploadOf(callId);
        return upload?.state === 'ready' && upload.parts === 0 && upload.files.length === 1 ? upload : undefined;
      });
    const waveOf = async (callId: string): Promise<Buffer> =>
      Buffer.from(await (await audioOf(callId, {}, '?format=wav')).arrayBuffer());
    const killed = await ended();
    const [begun] = await until('its file is begun', async () => {
      const files = (await uploadOf(killed))?.files ?? [];
      return files.length > 0 ? files : undefined;
    });
    // Both at once with SIGKILL, because either may be building the recording.
    await Promise.all([platform.kill('telephony', 0), platform.kill('telephony', 1)]);
    expect(await uploadOf(killed)).toEqual({ state: 'complete', file: null, files: [begun], parts: minutes });
    const upload = await settled(killed);
    // The file was built by another attempt.
    expect([upload.files, upload.file === begun]).toEqual([[upload.file], false]);
    const wave = await waveOf(killed);
    expect(wave.length).toBe(58 + sound.length);
    await platform.ready();
    const undisturbed = await ended();
    await settled(undisturbed);
    expect(wave.equals(await waveOf(undisturbed))).toBe(true);
    expect([await readyTimes(killed), await readyTimes(undisturbed)]).toEqual([1, 1]);
  });

  it('of a worker that falls silent is what it handed in', async () => {
    const { callId, putPart } = await talked();
    const sound = randomBytes(16_000);
    expect(await putPart(1, sound)).toBe(200);
    // This worker sends nothing more, while the platform's own engine continues to claim.
    const answer = await until('the recording of a lost worker', async () => {
      const asked = await audioOf(callId, {}, '?format=wav');
      return asked.status === 200 ? asked : undefined;
    });
    expect(Number(answer.headers.get('content-length'))).toBe(58 + sound.length);
    expect(await readyTimes(callId)).toBe(1);
    expect(await putPart(2, sound)).toBe(409);
    const { body } = await customer.api.get(`/v1/calls/${callId}`);
    expect(body).toMatchObject({ status: 'completed', ended_reason: 'worker_lost' });
  });
});
