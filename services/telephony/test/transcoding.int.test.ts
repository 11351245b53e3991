import { recordingsBucketDefinition, streamKeeper } from '@parley/outbox';
import { createLogger, createNats } from '@parley/runtime';
import { decodeMuLaw, encodeMuLaw, opusFileBytes } from '@parley/speech';
import { eventually, privateNats } from '@parley/testing';
import { complete, report } from './test-caller';
import { eraseCall } from './erasing';
import {
  audioOf,
  completeParts,
  putPart,
  recordingOf,
  sha256Of,
  talkedCall,
  wholeAudioOf,
  type RecordedCall,
} from './recording-of';
import { refusal } from './refusal';
import { s3Server, type HeldRequest, type S3Server } from './s3-server';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const account = { accessKeyId: 'account', secretAccessKey: 'secret', region: 'us-east-1' };

/** A different tone on each side. */
function toneOf(seconds: number, at = 0): Buffer {
  const sides = new Int16Array(2 * 8_000 * seconds);
  for (let n = 0; n < sides.length / 2; n += 1) {
    const time = n / 8_000 + at;
    sides[2 * n] = 8_000 * Math.sin(2 * Math.PI * 350 * time) * Math.sin(3 * time);
    sides[2 * n + 1] = 8_000 * Math.sin(2 * Math.PI * 620 * time) * Math.cos(2 * time);
  }
  return encodeMuLaw(sides);
}

/** The similarity of two sounds; 1 if they are the same. */
function likeness(one: Buffer, other: Buffer): number {
  const [ones, others] = [decodeMuLaw(one), decodeMuLaw(other)];
  const sum = (of: (n: number) => number): number => ones.reduce((all, _, n) => all + of(n), 0);
  const at = (samples: Int16Array, n: number): number => samples[n] ?? 0;
  return (
    sum((n) => at(ones, n) * at(others, n)) / Math.sqrt(sum((n) => at(ones, n) ** 2) * sum((n) => at(others, n) ** 2))
  );
}

describe('the Ogg Opus file of a recording', () => {
  let under: UnderTest;
  let store: S3Server;
  let first: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    store = await s3Server(account);
    const settings = {
      workerLeaseSeconds: 300,
      recordingsFormat: 'ogg' as const,
      recordingsStore: 's3' as const,
      recordingsS3Endpoint: store.endpoint,
      recordingsS3Bucket: 'recordings',
      recordingsS3AccessKeyId: account.accessKeyId,
      recordingsS3SecretAccessKey: account.secretAccessKey,
    };
    first = await under.start(settings);
    second = await under.start(settings);
  });
  afterAll(async () => {
    await under.stop();
    await store.close();
  });

  const folderOf = ({ call, agent }: RecordedCall): string => `recordings/${agent.organizationId}/${call.call_id}/`;
  const objectsOf = (recorded: RecordedCall): string[] =>
    [...store.objects.keys()].filter((key) => key.startsWith(folderOf(recorded)));

  const recordedOf = async (parts: readonly Buffer[]): Promise<RecordedCall> => {
    const recorded = await talkedCall(under, first);
    for (const [n, part] of parts.entries()) await putPart(first, recorded.job, n + 1, part);
    await completeParts(first, recorded.job, parts);
    return recorded;
  };
  const end = async ({ job }: RecordedCall): Promise<void> => {
    await report(first, job, 2, { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(first, job);
  };
  const ready = ({ agent, call }: RecordedCall) =>
    eventually(() => recordingOf(second, agent.organizationId, call.call_id).catch(() => undefined));
  const readyEvents = async ({ call }: RecordedCall): Promise<number> => {
    const { rows } = await under.db.query({
      text: `select 1 from call_events where call_id = $1 and type = 'call.recording.ready'`,
      values: [call.call_id],
    });
    return rows.length;
  };
  const rowsOf = async ({ call }: RecordedCall) => {
    const { rows } = await under.db.query<{ state: string; file: string | null; files: string[]; parts: number }>({
      text: `select state, file_id as file, array(select file_id from recording_files f where f.call_id = u.call_id) as files,
               (select count(*)::integer from recording_parts p where p.call_id = u.call_id) as parts
             from recording_uploads u where call_id = $1`,
      values: [call.call_id],
    });
    return rows[0];
  };
  /** Checks that there is exactly one object, the one in the index. */
  const settled = (recorded: RecordedCall) =>
    eventually(async () => {
      const rows = await rowsOf(recorded);
      const [file] = rows?.files ?? [];
      const isSettled = rows?.parts === 0 && rows.files.length === 1 && rows.file === file;
      return isSettled && objectsOf(recorded).join() === `${folderOf(recorded)}${file}` ? file : undefined;
    });
  /** Simulates that the process which makes the file has crashed, or is frozen for longer than its lease. */
  const loseLease = async ({ call }: RecordedCall): Promise<void> => {
    await under.db.query({
      text: 'update recording_files set leased_until = clock_timestamp() where call_id = $1',
      values: [call.call_id],
    });
    await under.db.query({
      text: 'update recording_uploads set retry_at = clock_timestamp() where call_id = $1',
      values: [call.call_id],
    });
  };
  /** The next request that stores a file of that call; its name is not known in advance. */
  const nextFile = async (recorded: RecordedCall): Promise<{ readonly path: string; readonly held: HeldRequest }> => {
    const part = store.hold(`GET /${folderOf(recorded)}1`);
    await end(recorded);
    await part.reached;
    const path = `/${folderOf(recorded)}${(await rowsOf(recorded))?.files[0] ?? ''}`;
    const held = store.hold(`PUT ${path}`);
    part.release();
    await held.reached;
    return { path, held };
  };

  it('is created once when the call ends, with one event, readable whole, in ranges and as WAV; the parts are deleted', async () => {
    const parts = [toneOf(65), toneOf(7, 65)];
    const sound = Buffer.concat(parts);
    const recorded = await recordedOf(parts);
    expect(await readyEvents(recorded)).toBe(0);
    await end(recorded);
    const record = await ready(recorded);
    const file = await settled(recorded);
    expect(file).toMatch(/^rec_\w+\.ogg$/);
    const { organizationId } = recorded.agent;
    const { call_id: callId } = recorded.call;
    const audio = await wholeAudioOf(first, organizationId, callId);
    expect([audio.toString('latin1', 0, 4), audio.length]).toEqual(['OggS', opusFileBytes(sound.length / 2)]);
    // Less than two fifths of the size of the parts.
    expect(audio.length / sound.length).toBeLessThan(0.4);
    expect(record).toEqual({
      call_id: callId,
      format: 'ogg',
      simulated: false,
      duration_ms: 72_000,
      size_bytes: audio.length,
      sha256: sha256Of(audio),
      data: audio.toString('base64'),
      created_at: expect.any(String) as string,
    });
    for (const [from, most] of [
      [0, 1],
      [audio.length - 1, 1],
      [audio.length - 1, 2],
      [12_345, 100],
    ] as const) {
      const piece = await audioOf(second, organizationId, callId, from, most);
      expect(piece).toMatchObject({ mediaType: 'audio/ogg', size: String(audio.length), sha256: sha256Of(audio) });
      expect(Buffer.from(piece.content).equals(audio.subarray(from, from + most))).toBe(true);
    }
    const wave = await wholeAudioOf(second, organizationId, callId, 'wav');
    expect([wave.toString('latin1', 0, 4), wave.length]).toEqual(['RIFF', 58 + sound.length]);
    expect(likeness(wave.subarray(58), sound)).toBeGreaterThan(0.99);
    const piece = await audioOf(first, organizationId, callId, 500_000, 100, 'wav');
    expect(piece).toMatchObject({ mediaType: 'audio/wav', size: String(wave.length) });
    expect(piece.sha256).not.toBe(record.sha256);
    expect(Buffer.from(piece.content).equals(wave.subarray(500_000, 500_100))).toBe(true);
    expect(await readyEvents(recorded)).toBe(1);
    // A repeated completion of the recording gets the same response.
    expect(await completeParts(second, recorded.job, parts)).toMatchObject({ parts: 2, size_bytes: sound.length });
  });

  it.each(['before it has read a part', 'before it has stored the file'])(
    'is created by another process if the first one crashes %s, with one event and one object',
    async (when) => {
      const recorded = await recordedOf([toneOf(1)]);
      const part = store.hold(`GET /${folderOf(recorded)}1`);
      let held = part;
      if (when === 'before it has read a part') await end(recorded).then(() => part.reached);
      else {
        part.release();
        ({ held } = await nextFile(recorded));
      }
      expect([await readyEvents(recorded), (await rowsOf(recorded))?.state]).toEqual([0, 'complete']);
      await loseLease(recorded);
      await ready(recorded);
      const made = (await rowsOf(recorded))?.file;
      // A frozen process continues; a crashed one does not, and leaves fewer objects.
      held.release();
      expect(await settled(recorded)).toBe(made);
      expect(await readyEvents(recorded)).toBe(1);
    },
  );

  it('is created again if a process crashed after storing it and before its database write; the first file is deleted', async () => {
    const recorded = await recordedOf([toneOf(1)]);
    const dead = 'rec_dead.ogg';
    store.objects.set(`${folderOf(recorded)}${dead}`, Buffer.from('half a file'));
    await under.db.query({
      text: `insert into recording_files (file_id, call_id, organization_id, leased_until) values ($1, $2, $3, clock_timestamp())`,
      values: [dead, recorded.call.call_id, recorded.agent.organizationId],
    });
    await end(recorded);
    await ready(recorded);
    expect(await settled(recorded)).not.toBe(dead);
    expect(await readyEvents(recorded)).toBe(1);
  });

  it('is kept while its parts cannot be deleted; they are deleted later', async () => {
    const recorded = await recordedOf([toneOf(1), toneOf(1)]);
    const again = store.refuse(`DELETE /${folderOf(recorded)}2`);
    await end(recorded);
    await ready(recorded);
    await eventually(() => (store.requests.includes(`DELETE /${folderOf(recorded)}2 503`) ? true : undefined));
    expect((await rowsOf(recorded))?.parts).toBe(2);
    again();
    await eventually(async () => {
      await under.db.query({
        text: 'update recording_uploads set retry_at = clock_timestamp() where call_id = $1',
        values: [recorded.call.call_id],
      });
      return (await rowsOf(recorded))?.parts === 0 ? true : undefined;
    });
    await settled(recorded);
  });

  it('is deleted with all objects if the call is erased while it is created', async () => {
    const recorded = await recordedOf([toneOf(1)]);
    const { held } = await nextFile(recorded);
    const { organizationId } = recorded.agent;
    await eraseCall(first, organizationId, recorded.call.call_id);
    held.release();
    await eventually(async () => {
      await under.db.query({
        text: 'update recording_uploads set retry_at = clock_timestamp() where call_id = $1',
        values: [recorded.call.call_id],
      });
      const rows = await rowsOf(recorded);
      return rows?.state === 'discarded' && rows.files.length === 0 && rows.parts === 0 ? true : undefined;
    });
    expect(objectsOf(recorded)).toEqual([]);
    expect(await readyEvents(recorded)).toBe(0);
    expect(await refusal(recordingOf(second, organizationId, recorded.call.call_id))).toEqual([404, 'NotFoundError']);
  });

  it('contains only the parts before one that the store lost, after six attempts', async () => {
    const recorded = await recordedOf([toneOf(2), toneOf(1)]);
    store.objects.delete(`${folderOf(recorded)}2`);
    await end(recorded);
    const { call } = recorded;
    await eventually(async () => {
      await under.db.query({
        text: `update recording_uploads set attempts = 5, retry_at = clock_timestamp() where call_id = $1 and state = 'complete' and attempts between 1 and 5`,
        values: [call.call_id],
      });
      return (await rowsOf(recorded))?.state === 'ready' ? true : undefined;
    });
    expect(await ready(recorded)).toMatchObject({ format: 'ogg', duration_ms: 2_000 });
  });

  it('of a recording of an earlier release is created later, without a second event', async () => {
    const recorded = await recordedOf([toneOf(1)]);
    const part = store.hold(`GET /${folderOf(recorded)}1`);
    await end(recorded);
    await part.reached;
    // The rows as the previous release left them.
    await under.db.query({
      text: `update recording_uploads set state = 'ready', ready_at = '2026-01-02T03:04:05Z' where call_id = $1`,
      values: [recorded.call.call_id],
    });
    expect(await ready(recorded)).toMatchObject({ format: 'wav', size_bytes: 58 + 16_000 });
    part.release();
    await settled(recorded);
    expect(await ready(recorded)).toMatchObject({ format: 'ogg', created_at: '2026-01-02T03:04:05.000Z' });
    expect(await readyEvents(recorded)).toBe(0);
  });
});

it('if the file does not fit into the bucket, the recording is readable as WAV from its parts until there is room', async () => {
  const small = await privateNats();
  const log = createLogger({ service: 'test', level: 'silent' });
  const nats = createNats({ url: small.url, name: 'auth', log });
  const room = 1_100_000;
  const keeper = streamKeeper({ nats, log, recordingsBytes: room });
  expect(recordingsBucketDefinition(room)).toMatchObject({ max_bytes: room });
  await keeper.start();
  const under = await telephonyUnderTest();
  const telephony = await under.start({ workerLeaseSeconds: 300, recordingsFormat: 'ogg', natsUrl: small.url });
  const kept = await talkedCall(under, telephony);
  await eventually(() => putPart(telephony, kept.job, 1, toneOf(5)).catch(() => undefined));
  const recorded = await talkedCall(under, telephony);
  const parts = [toneOf(48), toneOf(12)];
  for (const [n, part] of parts.entries()) await putPart(telephony, recorded.job, n + 1, part);
  await completeParts(telephony, recorded.job, parts);
  await report(telephony, recorded.job, 2, { type: 'ended', ended_reason: 'callee_hung_up' });
  await complete(telephony, recorded.job);
  const { organizationId } = recorded.agent;
  const { call_id: callId } = recorded.call;
  const record = () => recordingOf(telephony, organizationId, callId).catch(() => undefined);
  expect(await eventually(record)).toMatchObject({ format: 'wav', size_bytes: 58 + 960_000 });
  expect((await wholeAudioOf(telephony, organizationId, callId)).subarray(58).equals(Buffer.concat(parts))).toBe(true);
  const keeperNow = streamKeeper({ nats, log, recordingsBytes: 10 * room });
  await keeper.stop();
  await keeperNow.start();
  await eventually(async () => {
    await under.db.query({
      text: 'update recording_uploads set retry_at = clock_timestamp() where call_id = $1 and file_id is null',
      values: [callId],
    });
    return (await record())?.format === 'ogg' ? true : undefined;
  });
  expect(await wholeAudioOf(telephony, organizationId, callId)).toHaveLength(opusFileBytes(480_000));
  const { rows } = await under.db.query({
    text: `select 1 from call_events where call_id = $1 and type = 'call.recording.ready'`,
    values: [callId],
  });
  expect(rows).toHaveLength(1);
  await under.stop();
  await keeperNow.stop();
  await nats.close();
  await small.close();
});
