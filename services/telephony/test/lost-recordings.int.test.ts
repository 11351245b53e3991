import { recordingsBucketDefinition, streamKeeper } from '@parley/outbox';
import { createLogger, createNats } from '@parley/runtime';
import { eventually, freePort, privateNats } from '@parley/testing';
import { complete, idleWorker, read, report } from './test-caller';
import {
  completeParts,
  putPart,
  recordingOf,
  soundOf,
  talkedCall,
  wholeAudioOf,
  type RecordedCall,
} from './recording-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const hungUp = { type: 'ended', ended_reason: 'callee_hung_up' };

/** Tests decide when leases expire. A second instance, which always hears a worker, reaps them. */
describe('recordings if the worker crashes or the store is unavailable', () => {
  let under: UnderTest;
  let telephony: Instance;
  let stopWorker: () => Promise<void>;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300, recordingGraceSeconds: 1 });
    stopWorker = idleWorker(await under.start({ workerLeaseSeconds: 2, leasesReapedAtLeast: 100 }));
  });
  afterAll(async () => {
    await stopWorker();
    await under.stop();
  });

  const die = async ({ job }: RecordedCall): Promise<void> => {
    await under.db.query({
      text: `update jobs set lease_expires_at = clock_timestamp() where job_id = $1 and state = 'leased'`,
      values: [job.job_id],
    });
  };

  const ready = ({ agent, call }: RecordedCall) =>
    eventually(() => recordingOf(telephony, agent.organizationId, call.call_id).catch(() => undefined));

  const partsOf = async ({ call }: RecordedCall): Promise<number[]> => {
    const { rows } = await under.db.query<{ part: number }>({
      text: 'select part from recording_parts where call_id = $1 order by part',
      values: [call.call_id],
    });
    return rows.map(({ part }) => part);
  };

  const eventsOf = async ({ call }: RecordedCall): Promise<string[]> => {
    const { rows } = await under.db.query<{ type: string }>({
      text: 'select type from call_events where call_id = $1 order by resource_seq',
      values: [call.call_id],
    });
    return rows.map(({ type }) => type);
  };

  it('the parts uploaded before a crash become the recording; later uploads get 409', async () => {
    const recorded = await talkedCall(under, telephony);
    const parts = [soundOf(1_600), soundOf(800)];
    await putPart(telephony, recorded.job, 1, parts[0] as Buffer);
    await putPart(telephony, recorded.job, 2, parts[1] as Buffer);
    await die(recorded);
    expect(await ready(recorded)).toMatchObject({ format: 'wav', duration_ms: 150, size_bytes: 58 + 2_400 });
    const { organizationId } = recorded.agent;
    const audio = await wholeAudioOf(telephony, organizationId, recorded.call.call_id);
    expect(audio.subarray(58).equals(Buffer.concat(parts))).toBe(true);
    expect(await read(telephony, recorded.agent, recorded.call.call_id)).toMatchObject({
      status: 'completed',
      ended_reason: 'worker_lost',
    });
    expect(await refusal(putPart(telephony, recorded.job, 3, soundOf(2)))).toEqual([409, 'ConflictError']);
    expect(await refusal(completeParts(telephony, recorded.job, parts))).toEqual([409, 'ConflictError']);
    expect((await eventsOf(recorded)).filter((type) => type === 'call.recording.ready')).toHaveLength(1);
  });

  it('parts after a missing part are deleted', async () => {
    const recorded = await talkedCall(under, telephony);
    await putPart(telephony, recorded.job, 1, soundOf(320));
    await putPart(telephony, recorded.job, 3, soundOf(320));
    await die(recorded);
    expect(await ready(recorded)).toMatchObject({ duration_ms: 20 });
    // The parts before it are already in a file.
    await eventually(async () => ((await partsOf(recorded)).length === 0 ? true : undefined));
    const { organizationId } = recorded.agent;
    expect(await wholeAudioOf(telephony, organizationId, recorded.call.call_id)).toHaveLength(58 + 320);
  });

  it('without the first part there is no recording (404), and all parts are deleted', async () => {
    const recorded = await talkedCall(under, telephony);
    await putPart(telephony, recorded.job, 2, soundOf(320));
    await die(recorded);
    await eventually(async () => ((await partsOf(recorded)).length === 0 ? true : undefined));
    expect(await refusal(recordingOf(telephony, recorded.agent.organizationId, recorded.call.call_id))).toEqual([
      404,
      'NotFoundError',
    ]);
    expect(await eventsOf(recorded)).not.toContain('call.recording.ready');
  });

  it('if the worker completes the call but not the recording, the uploaded parts become the recording', async () => {
    const recorded = await talkedCall(under, telephony);
    await putPart(telephony, recorded.job, 1, soundOf(160));
    await report(telephony, recorded.job, 2, hungUp);
    await complete(telephony, recorded.job);
    expect(await ready(recorded)).toMatchObject({ duration_ms: 10 });
  });

  it('a part that does not fit into the full store gets 503; the call completes and keeps the earlier parts', async () => {
    const small = await privateNats();
    const log = createLogger({ service: 'test', level: 'silent' });
    const nats = createNats({ url: small.url, name: 'auth', log });
    const recordingsBytes = 1_000_000;
    expect(recordingsBucketDefinition(recordingsBytes)).toMatchObject({ max_bytes: recordingsBytes });
    const keeper = streamKeeper({ nats, log, recordingsBytes });
    await keeper.start();
    // A separate database, because the other instances would look for these parts in their own store.
    const apart = await telephonyUnderTest();
    const crowded = await apart.start({ workerLeaseSeconds: 300, recordingGraceSeconds: 1, natsUrl: small.url });
    const recorded = await talkedCall(apart, crowded);
    const first = soundOf(300_000);
    await eventually(() => putPart(crowded, recorded.job, 1, first).catch(() => undefined));
    expect(await refusal(putPart(crowded, recorded.job, 2, soundOf(900_000)))).toEqual([503, 'internal_error']);
    // Parts that fit are still accepted.
    await putPart(crowded, recorded.job, 3, soundOf(100_000));
    expect(await crowded.metric('parley_recording_parts_rejected_total')).toBeGreaterThanOrEqual(1);
    await report(crowded, recorded.job, 2, hungUp);
    expect(await complete(crowded, recorded.job)).toEqual({ call_status: 'completed' });
    const { organizationId } = recorded.agent;
    await eventually(() => recordingOf(crowded, organizationId, recorded.call.call_id).catch(() => undefined));
    expect((await wholeAudioOf(crowded, organizationId, recorded.call.call_id)).subarray(58).equals(first)).toBe(true);
    await apart.stop();
    await keeper.stop();
    await nats.close();
    await small.close();
  });

  it('a part gets 503 while the store is unreachable, and is accepted when repeated later', async () => {
    const away = await under.start({
      workerLeaseSeconds: 300,
      recordingsStore: 's3',
      recordingsS3Endpoint: `http://127.0.0.1:${await freePort()}`,
      recordingsS3Bucket: 'recordings',
      recordingsS3AccessKeyId: 'account',
      recordingsS3SecretAccessKey: 'secret',
    });
    const recorded = await talkedCall(under, telephony);
    const sound = soundOf(160);
    expect(await refusal(putPart(away, recorded.job, 1, sound))).toEqual([503, 'internal_error']);
    await away.stop();
    expect(await putPart(telephony, recorded.job, 1, sound)).toMatchObject({ part: 1 });
  });
});
