import { streamKeeper } from '@parley/outbox';
import { createLogger, createNats } from '@parley/runtime';
import { eventually, privateNats } from '@parley/testing';
import { JetStreamRecordingStore } from '../src/dispatch/recordings/jetstream-store';
import { RecordingObjectUnreadable, RecordingStoreFull } from '../src/dispatch/recordings/recording-store';
import { S3RecordingStore } from '../src/dispatch/recordings/s3-store';
import { soundOf } from './recording-of';
import { s3Server } from './s3-server';
import type { RecordingStore } from '../src/telephony';

const account = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret/with+signs=', region: 'eu-central-1' };
const log = createLogger({ service: 'test', level: 'silent' });

interface Started {
  readonly store: RecordingStore;
  stop(): Promise<void>;
}

async function inJetStream(): Promise<Started> {
  const server = await privateNats();
  const nats = createNats({ url: server.url, name: 'telephony', log });
  const keeper = streamKeeper({ nats, log, recordingsBytes: 3 * 1024 ** 2, everyMs: 50 });
  await keeper.start();
  const store = new JetStreamRecordingStore(nats);
  await eventually(() =>
    store.put('made', Buffer.alloc(1)).then(
      () => true,
      () => undefined,
    ),
  );
  await store.delete('made');
  return {
    store,
    async stop() {
      await keeper.stop();
      await nats.close();
      await server.close();
    },
  };
}

async function inS3(): Promise<Started> {
  const server = await s3Server(account);
  const { endpoint } = server;
  return { store: new S3RecordingStore({ ...account, endpoint, bucket: 'recordings' }), stop: () => server.close() };
}

describe.each([
  ['JetStream', inJetStream],
  ['S3', inS3],
])('the recording store on %s', (_name, start) => {
  let started: Started;
  let store: RecordingStore;
  beforeAll(async () => {
    started = await start();
    ({ store } = started);
  });
  afterAll(() => started.stop());

  it.each([
    ['of one byte', 1],
    ['of 1 MiB', 1024 * 1024],
  ])('an object %s that is stored twice is read back whole and in ranges', async (_what, size) => {
    const content = soundOf(size);
    const key = `org_1/call_1/${size}`;
    await store.put(key, content);
    await store.put(key, content);
    expect((await store.read(key, 0, size)).equals(content)).toBe(true);
    expect((await store.read(key, size - 1, size)).equals(content.subarray(size - 1))).toBe(true);
    if (size > 600_000) {
      const middle = await store.read(key, 500_000, 600_000);
      expect(middle.equals(content.subarray(500_000, 600_000))).toBe(true);
    }
    await store.delete(key);
  });

  it('a file of several chunks is readable in ranges across chunk boundaries', async () => {
    const content = soundOf(2 * 1024 * 1024 - 1);
    const key = 'org_1/call_3/rec_1.ogg';
    await store.putOnce(key, content, AbortSignal.timeout(60_000));
    const half = 512 * 1024;
    for (const [from, to] of [
      [content.length - 1, content.length],
      [3 * half - 1, 3 * half + 1],
      [half, 2 * half],
      [half - 1, half],
      [0, 1],
      [0, content.length],
    ] as const)
      expect((await store.read(key, from, to)).equals(content.subarray(from, to))).toBe(true);
    await store.delete(key);
    await expect(store.read(key, 0, 1)).rejects.toBeInstanceOf(RecordingObjectUnreadable);
  });

  it('an aborted write of a file leaves no object', async () => {
    const key = 'org_1/call_4/rec_1.ogg';
    await expect(store.putOnce(key, soundOf(10), AbortSignal.abort(new Error('over')))).rejects.toThrow();
    await expect(store.read(key, 0, 1)).rejects.toBeInstanceOf(RecordingObjectUnreadable);
  });

  it('a deleted object cannot be read, and deleting it again changes nothing', async () => {
    await store.put('org_1/call_2/1', soundOf(10));
    await store.delete('org_1/call_2/1');
    await expect(store.read('org_1/call_2/1', 0, 10)).rejects.toBeInstanceOf(RecordingObjectUnreadable);
    await store.delete('org_1/call_2/1');
    await store.delete('org_1/call_2/never');
  });
});

it('a full JetStream bucket rejects an object, and accepts it after another is deleted', async () => {
  const { store, stop } = await inJetStream();
  const mebibyte = soundOf(1024 * 1024);
  await store.put('a', mebibyte);
  await store.put('b', mebibyte);
  await expect(store.put('c', mebibyte)).rejects.toBeInstanceOf(RecordingStoreFull);
  expect((await store.read('a', 0, mebibyte.length)).equals(mebibyte)).toBe(true);
  await store.delete('a');
  await store.put('c', mebibyte);
  expect((await store.read('c', 0, mebibyte.length)).equals(mebibyte)).toBe(true);
  await stop();
});

it('a file that does not fit into a JetStream bucket leaves no chunks', async () => {
  const { store, stop } = await inJetStream();
  const half = soundOf(1024 * 1024);
  const key = 'org_1/call_1/rec_1.ogg';
  // Chunks that fit are removed again; otherwise the next part would not fit either.
  await store.put('kept', half);
  await expect(store.putOnce(key, soundOf(2.5 * 1024 ** 2), AbortSignal.timeout(60_000))).rejects.toBeInstanceOf(
    RecordingStoreFull,
  );
  await store.putOnce('org_1/call_1/rec_2.ogg', soundOf(1.5 * 1024 ** 2), AbortSignal.timeout(60_000));
  await stop();
});

it('S3 requests have the object path and a valid signature; another secret gets 403', async () => {
  const server = await s3Server(account);
  const settings = { ...account, endpoint: server.endpoint, bucket: 'recordings' };
  await new S3RecordingStore(settings).put('org_1/call_1/1', Buffer.from('sound'));
  const other = new S3RecordingStore({ ...settings, secretAccessKey: 'another' });
  await expect(other.put('org_1/call_1/2', Buffer.from('sound'))).rejects.toThrow();
  expect(server.requests).toEqual(['PUT /recordings/org_1/call_1/1 200', 'PUT /recordings/org_1/call_1/2 403']);
  expect([...server.objects.keys()]).toEqual(['recordings/org_1/call_1/1']);
  await server.close();
});
