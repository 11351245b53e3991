import { eventually } from '@parley/testing';
import { complete, report } from './test-caller';
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
import { s3Server, type S3Server } from './s3-server';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const account = { accessKeyId: 'account', secretAccessKey: 'secret', region: 'us-east-1' };

/** Two replicas and an object store whose requests a test can hold or reject, and whose objects it can remove. */
describe('concurrent uploads and store failures of recordings', () => {
  let under: UnderTest;
  let store: S3Server;
  let first: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    store = await s3Server(account);
    const settings = {
      workerLeaseSeconds: 300,
      recordingGraceSeconds: 1,
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

  const pathOf = ({ call, agent }: RecordedCall, part: number): string =>
    `/recordings/${agent.organizationId}/${call.call_id}/${part}`;
  const objectsOf = (recorded: RecordedCall): number[] =>
    [1, 2, 3].filter((part) => store.objects.has(pathOf(recorded, part).slice(1)));
  const loseObject = (recorded: RecordedCall, part: number): boolean =>
    store.objects.delete(pathOf(recorded, part).slice(1));

  /** The worker ends its call without completing the recording. */
  const end = async ({ job }: RecordedCall, recording?: object): Promise<void> => {
    await report(first, job, 2, { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(first, job, undefined, '', recording);
  };
  const ready = ({ agent, call }: RecordedCall) =>
    eventually(() => recordingOf(first, agent.organizationId, call.call_id).catch(() => undefined));
  const soundIn = async ({ agent, call }: RecordedCall): Promise<Buffer> =>
    (await wholeAudioOf(second, agent.organizationId, call.call_id)).subarray(58);

  const uploadOf = async ({ call }: RecordedCall) => {
    const { rows } = await under.db.query<{ state: string; attempts: number; waits: boolean; parts: number[] }>({
      text: `select state, attempts, retry_at > clock_timestamp() as waits,
               array(select part from recording_parts p where p.call_id = u.call_id order by part) as parts
             from recording_uploads u where call_id = $1`,
      values: [call.call_id],
    });
    return rows[0];
  };
  const retryNow = ({ call }: RecordedCall, attempts: number) =>
    under.db.query({
      text: 'update recording_uploads set attempts = $2, retry_at = clock_timestamp() where call_id = $1',
      values: [call.call_id, attempts],
    });

  it('a slow upload of a part that was stored meanwhile in a completed recording gets the same response', async () => {
    const recorded = await talkedCall(under, first);
    const sound = soundOf(160);
    const late = store.hold(`PUT ${pathOf(recorded, 1)}`);
    const slow = putPart(first, recorded.job, 1, sound);
    await late.reached;
    const stored = await putPart(second, recorded.job, 1, sound);
    await completeParts(second, recorded.job, [sound]);
    late.release();
    expect(await slow).toEqual(stored);
    await end(recorded);
    await ready(recorded);
    expect((await soundIn(recorded)).equals(sound)).toBe(true);
  });

  it('a part that arrives after the recording was closed without it gets 409 and is deleted', async () => {
    const recorded = await talkedCall(under, first);
    const sound = soundOf(160);
    await putPart(first, recorded.job, 1, sound);
    const late = store.hold(`PUT ${pathOf(recorded, 2)}`);
    const slow = refusal(putPart(first, recorded.job, 2, soundOf(160)));
    await late.reached;
    await end(recorded);
    await ready(recorded);
    late.release();
    expect(await slow).toEqual([409, 'ConflictError']);
    await eventually(async () => ((await uploadOf(recorded))?.parts.length === 0 ? true : undefined));
    expect(objectsOf(recorded)).toEqual([]);
    expect((await soundIn(recorded)).equals(sound)).toBe(true);
  });

  it('a part that arrives while the recording is being closed becomes part of it', async () => {
    const recorded = await talkedCall(under, first);
    const parts = [soundOf(160), soundOf(160)];
    await putPart(first, recorded.job, 1, parts[0] as Buffer);
    const late = store.hold(`PUT ${pathOf(recorded, 2)}`);
    const slow = putPart(second, recorded.job, 2, parts[1] as Buffer);
    await late.reached;
    const closing = store.hold(`GET ${pathOf(recorded, 1)}`);
    await end(recorded);
    await closing.reached;
    late.release();
    await slow;
    closing.release();
    expect(await ready(recorded)).toMatchObject({ duration_ms: 20 });
    expect((await soundIn(recorded)).equals(Buffer.concat(parts))).toBe(true);
  });

  it('a replica that saw a missing part deletes nothing if the recording was completed meanwhile', async () => {
    const recorded = await talkedCall(under, first);
    const parts = [soundOf(160), soundOf(160), soundOf(160)];
    await putPart(first, recorded.job, 1, parts[0] as Buffer);
    await putPart(first, recorded.job, 3, parts[2] as Buffer);
    const closing = store.hold(`GET ${pathOf(recorded, 1)}`);
    await end(recorded);
    await closing.reached;
    await putPart(second, recorded.job, 2, parts[1] as Buffer);
    await completeParts(second, recorded.job, parts);
    closing.release();
    expect(await ready(recorded)).toMatchObject({ duration_ms: 30 });
    expect((await soundIn(recorded)).equals(Buffer.concat(parts))).toBe(true);
  });

  it('17 recordings that cannot be finished do not delay a later one', async () => {
    for (let count = 0; count < 17; count += 1) {
      const broken = await talkedCall(under, first);
      await putPart(first, broken.job, 1, soundOf(160));
      loseObject(broken, 1);
      await end(broken);
    }
    const recorded = await talkedCall(under, first);
    await putPart(first, recorded.job, 1, soundOf(160));
    await end(recorded);
    expect(await ready(recorded)).toMatchObject({ duration_ms: 10 });
  });

  it.each<[string, number, string]>([
    ['the second', 2, 'ready'],
    ['the first', 1, 'discarded'],
  ])('after six attempts a recording whose store lost %s part is cut before that part', async (_which, lost, state) => {
    const recorded = await talkedCall(under, first);
    for (const part of [1, 2, 3]) await putPart(first, recorded.job, part, soundOf(160));
    loseObject(recorded, lost);
    await end(recorded);
    await eventually(async () => ((await uploadOf(recorded))?.attempts === 1 ? true : undefined));
    await retryNow(recorded, 4);
    await eventually(async () => ((await uploadOf(recorded))?.attempts === 5 ? true : undefined));
    expect(await uploadOf(recorded)).toMatchObject({ state: 'taking', waits: true, parts: [1, 2, 3] });
    await retryNow(recorded, 5);
    await eventually(async () => {
      const upload = await uploadOf(recorded);
      return upload?.state === state && upload.parts.length === 0 ? true : undefined;
    });
    expect(objectsOf(recorded)).toEqual([]);
    const { organizationId } = recorded.agent;
    const read = recordingOf(first, organizationId, recorded.call.call_id);
    if (state === 'ready') expect(await read).toMatchObject({ duration_ms: 10 });
    else expect(await refusal(read)).toEqual([404, 'NotFoundError']);
  });

  it('a recording is not cut while the store answers 503, even after 50 attempts', async () => {
    const recorded = await talkedCall(under, first);
    await putPart(first, recorded.job, 1, soundOf(160));
    const again = store.refuse(`GET ${pathOf(recorded, 1)}`);
    await end(recorded);
    await eventually(async () => ((await uploadOf(recorded))?.attempts === 1 ? true : undefined));
    await retryNow(recorded, 50);
    const asked = () => store.requests.filter((request) => request === `GET ${pathOf(recorded, 1)} 503`).length;
    const before = asked();
    await eventually(() => (asked() > before ? true : undefined));
    again();
    await eventually(async () => {
      await retryNow(recorded, 50);
      return (await uploadOf(recorded))?.state === 'ready' ? true : undefined;
    });
    expect(await ready(recorded)).toMatchObject({ duration_ms: 10 });
  });

  it.each<[string, number[], number[], number]>([
    ['is kept if no part was stored', [], [1], 1],
    ['is kept if the first part was not stored', [2], [1], 1],
    ['is ignored if the first part was stored', [1], [2], 10],
  ])('a whole recording sent with the completion %s', async (_what, stored, refused, duration) => {
    const recorded = await talkedCall(under, first);
    for (const part of refused) {
      store.refuse(`PUT ${pathOf(recorded, part)}`);
      expect(await refusal(putPart(first, recorded.job, part, soundOf(160)))).toEqual([503, 'internal_error']);
    }
    for (const part of stored) await putPart(first, recorded.job, part, soundOf(160));
    await end(recorded, { format: 'wav', duration_ms: 1, data: 'UklGRg==' });
    expect(await ready(recorded)).toMatchObject({ duration_ms: duration });
  });

  it('a part that arrives while its recording is being completed gets 409 and is not stored', async () => {
    const recorded = await talkedCall(under, first);
    const sound = soundOf(160);
    await putPart(first, recorded.job, 1, sound);
    const late = await under.db.transaction(async (tx) => {
      await tx.query({
        text: `update recording_uploads set state = 'complete', parts = 1, size_bytes = 160, duration_ms = 10, sha256 = '',
                 wave_sha256 = '' where call_id = $1`,
        values: [recorded.call.call_id],
      });
      const part = refusal(putPart(second, recorded.job, 2, soundOf(160)));
      await eventually(async () => {
        const { rows } = await under.db.query({
          text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        });
        return rows[0];
      });
      return { part };
    });
    expect(await late.part).toEqual([409, 'ConflictError']);
    expect((await uploadOf(recorded))?.parts).toEqual([1]);
    expect(objectsOf(recorded)).toEqual([1]);
  });
});
