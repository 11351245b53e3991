import { createHash, randomBytes } from 'node:crypto';
import { Customer } from './customer';
import { Platform } from './platform';
import { RecordedCalls } from './recorded-calls';
import { until } from './until';

/** Recordings, tested over the API: a worker of the customer uploads them, and a player reads them. */
describe('recordings', () => {
  let platform: Platform;
  let customer: Customer;
  let calls: RecordedCalls;

  beforeAll(async () => {
    platform = await Platform.shared('pair');
    customer = await Customer.create(platform);
    calls = await RecordedCalls.create(platform, customer);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  it('is uploaded in parts and read in ranges', async () => {
    const { worker, job, epoch, callId, putPart } = await calls.talked();
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
      const answer = await calls.audioOf(callId);
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
    const range = await calls.audioOf(callId, {
      range: 'bytes=300000-300010',
      'if-range': whole.headers.get('etag') ?? '',
    });
    expect([range.status, range.headers.get('content-range')]).toEqual([206, `bytes 300000-300010/${file.length}`]);
    expect(Buffer.from(await range.arrayBuffer()).equals(file.subarray(300_000, 300_011))).toBe(true);
    const decoded = await calls.audioOf(callId, {}, '?format=wav');
    expect(decoded.headers.get('content-type')).toBe('audio/wav');
    expect(decoded.headers.get('etag')).not.toBe(whole.headers.get('etag'));
    const wave = Buffer.from(await decoded.arrayBuffer());
    expect([wave.length, wave.readUInt16LE(20), wave.readUInt32LE(54)]).toEqual([58 + sound.length, 7, sound.length]);
    // A range across the boundary of two decoded blocks.
    const middle = await calls.audioOf(callId, { range: 'bytes=480000-480100' }, '?format=wav');
    expect(Buffer.from(await middle.arrayBuffer()).equals(wave.subarray(480_000, 480_101))).toBe(true);
    expect((await calls.audioOf(callId, {}, '?format=mp3')).status).toBe(400);
    expect(await calls.readyTimes(callId)).toBe(1);
  });

  it('of a worker that stops sending requests contains what it uploaded', async () => {
    const { callId, putPart } = await calls.talked();
    const sound = randomBytes(16_000);
    expect(await putPart(1, sound)).toBe(200);
    // This worker sends nothing more, while the platform's own engine continues to claim.
    const answer = await until('the recording of a lost worker', async () => {
      const asked = await calls.audioOf(callId, {}, '?format=wav');
      return asked.status === 200 ? asked : undefined;
    });
    expect(Number(answer.headers.get('content-length'))).toBe(58 + sound.length);
    expect(await calls.readyTimes(callId)).toBe(1);
    expect(await putPart(2, sound)).toBe(409);
    const { body } = await customer.api.get(`/v1/calls/${callId}`);
    expect(body).toMatchObject({ status: 'completed', ended_reason: 'worker_lost' });
  });
});
