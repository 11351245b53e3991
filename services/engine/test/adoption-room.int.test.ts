import type { WorkerJob } from '@parley/contract';
import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { httpPlatform, RefusedError } from '../src/worker/platform';
import { NoRoomError } from '../src/worker/token-check';
import { Worker } from '../src/worker/worker';
import type { LiveCall } from '../src/worker/live-call';
import { FakePlatform } from './fake-platform';
import { jobTo } from './jobs';
import { runningAt } from './simulated-calls';

const log = createLogger({ service: 'test', level: 'silent' });
const silent = '+15005550007';
/** Settings with which calls last until the test ends them. */
const unhurried = { silence_wait_seconds: 600, no_caller_speech_seconds: 600 };

let platform: FakePlatform;
let worker: Worker;
let letGo: (() => void)[];

function start(capacity: number, takesTestCalls = true): void {
  const api = httpPlatform({ url: platform.url, token: 'tai_test', connections: 30, timeoutMs: 30_000 });
  worker = new Worker({
    platform: api,
    takesTestCalls,
    carriers: ['simulator'],
    run: runningAt(1, api),
    log,
    workerId: 'engine-1',
    capacity,
    signal: new AbortController().signal,
  });
  worker.start();
}

beforeEach(async () => {
  [platform, letGo] = [new FakePlatform(), []];
  await platform.start();
});

afterEach(async () => {
  letGo.forEach((done) => done());
  platform.letGo();
  await worker.stop();
  await platform.kill();
});

const claims = (): unknown[] =>
  platform.reported.filter(({ route }) => route === 'claim').map(({ body }) => body['capacity']);

/** Resolves when a long-polling claim is open; the first claim returns at once. */
const claimIsOpen = (): Promise<unknown> => eventually(() => claims().length >= 2 || undefined);

const jobOf = (name: string, to: string): WorkerJob =>
  jobTo(to, `job_${name}`, { effective: unhurried, leaseSeconds: 1 });

const offer = (...names: string[]): void => platform.offer(...names.map((name) => jobOf(name, silent)));

/** A test call that lasts until the test ends it. */
function adopt(token: string): Promise<void> {
  return worker.adopt(token, (job): LiveCall => {
    const done = new Promise<void>((resolve) => letGo.push(resolve));
    return {
      jobId: job.job_id,
      epoch: job.epoch,
      leaseSeconds: job.lease_seconds,
      done,
      cancelRequested: () => undefined,
      leaseLost: () => letGo.forEach((finish) => finish()),
    };
  });
}

describe('slots that a worker reserves for test calls', () => {
  it.each([
    [2, 1],
    [3, 2],
    [8, 4],
    [9, 5],
    [20, 16],
  ])('with %d slots in total, a claim requests %d calls', async (capacity, asked) => {
    start(capacity);
    await claimIsOpen();
    expect(claims().slice(0, 2)).toEqual([asked, asked]);
  });

  it('are not reserved by a worker that does not accept test calls', async () => {
    start(8, false);
    await claimIsOpen();
    expect(claims().slice(0, 2)).toEqual([8, 8]);
  });

  it('test calls and an open claim together never exceed the capacity', async () => {
    start(8);
    await claimIsOpen();
    for (const token of ['a', 'b', 'c', 'd', 'e']) platform.adoptable.set(token, jobOf(token, ''));
    for (const token of ['a', 'b', 'c', 'd']) await adopt(token);
    expect(worker.hasRoom()).toBe(false);
    await expect(adopt('e')).rejects.toBeInstanceOf(NoRoomError);
    offer(...'0123456789');
    await eventually(() => worker.live === 8 || undefined);
    expect(platform.jobs).toHaveLength(6);
    expect(worker.hasRoom()).toBe(false);
  });

  it('at most four tokens are adopted concurrently, and claims continue meanwhile', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    platform.onRequest = async ({ route }) => {
      if (route === 'adopt') await held;
      return undefined;
    };
    start(8);
    await claimIsOpen();
    const asked = Array.from({ length: 4 }, (_, at) => adopt(`random-${at}`));
    const refused = asked.map((one) => expect(one).rejects.toBeInstanceOf(RefusedError));
    expect(worker.hasRoom()).toBe(false);
    await expect(adopt('random-5')).rejects.toBeInstanceOf(NoRoomError);
    offer('0');
    await eventually(() => worker.live === 1 || undefined);
    // Claims still request four of eight slots, less the one with a live call.
    await eventually(() => claims().at(-1) === 3 || undefined);
    offer('1', '2', '3');
    await eventually(() => worker.live === 4 || undefined);
    answer();
    await Promise.all(refused);
    expect(worker.hasRoom()).toBe(true);
    expect(worker.live).toBe(4);
  });

  it('an adoption is repeated if its response was lost, and the call is conducted once', async () => {
    platform.adoptable.set('a', jobOf('a', ''));
    let lost = 0;
    platform.onRequest = ({ route }) => (route === 'adopt' && (lost += 1) === 1 ? 'cut' : undefined);
    start(8);
    await adopt('a');
    expect([lost, worker.live]).toEqual([2, 1]);
  });

  it('a second connection with the token of a call in progress is refused with 409', async () => {
    platform.adoptable.set('a', jobOf('a', ''));
    start(8);
    await adopt('a');
    // The platform offers an adoptable call until the first report.
    platform.adoptable.set('a', jobOf('a', ''));
    await expect(adopt('a')).rejects.toMatchObject({ status: 409 });
    expect(worker.live).toBe(1);
  });
});
