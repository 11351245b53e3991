import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { Customer } from '../customer';
import { Platform } from '../platform';
import { RecordedCalls } from '../recorded-calls';
import { until } from '../until';

describe('a recording', () => {
  let platform: Platform;
  let customer: Customer;
  let calls: RecordedCalls;
  let database: pg.Client;

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2, leaseSeconds: 10 });
    customer = await Customer.create(platform);
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
    calls = await RecordedCalls.create(platform, customer);
  });

  afterAll(async () => {
    await database?.end();
    await customer?.close();
    await platform?.stop();
  });

  it('is complete, and published once, if every telephony process is killed while the file is created', async () => {
    const minutes = 10;
    const parts = Array.from({ length: minutes }, () => randomBytes(960_000));
    const sound = Buffer.concat(parts);
    const sha256 = createHash('sha256').update(sound).digest('hex');
    /** Returns a call with that sound after its end. */
    const ended = async (): Promise<string> => {
      const { worker, job, epoch, callId, putPart, heartbeat } = await calls.talked();
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
      Buffer.from(await (await calls.audioOf(callId, {}, '?format=wav')).arrayBuffer());
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
    expect([await calls.readyTimes(killed), await calls.readyTimes(undisturbed)]).toEqual([1, 1]);
  });
});
