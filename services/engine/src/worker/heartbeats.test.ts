import type { WorkerJobHeartbeat } from '@parley/contract';
import { createLogger } from '@parley/runtime';
import { Heartbeats, type Leased } from './heartbeats';
import type { Platform } from './platform';

const log = createLogger({ service: 'test', level: 'silent' });

/** Runs heartbeats in simulated time and records when they were sent. */
function observed(
  answer: () => Promise<Awaited<ReturnType<Platform['heartbeat']>>> = () => Promise.resolve({ leases: [] }),
  random = () => 1,
) {
  const sentAt: number[] = [];
  const heartbeat = (body: WorkerJobHeartbeat) => {
    expect(body.worker_id).toBe('w');
    sentAt.push(performance.now() - start);
    return answer();
  };
  const leases = new Map<string, Leased>();
  const start = performance.now();
  const heartbeats = new Heartbeats({ heartbeat }, 'w', leases, log, random);
  const add = (jobId: string, leaseSeconds: number): void => {
    leases.set(jobId, { jobId, epoch: 1, leaseSeconds, cancelRequested: jest.fn(), leaseLost: jest.fn() });
    heartbeats.keep();
  };
  return { sentAt, leases, heartbeats, add };
}

describe('heartbeats', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    [15, [5_000, 10_000, 15_000]],
    [3, [1_000, 2_000, 3_000]],
  ])('a lease of %i s is renewed at %j', async (leaseSeconds, expected) => {
    const { sentAt, add } = observed();
    add('job_1', leaseSeconds);
    await jest.advanceTimersByTimeAsync(leaseSeconds * 1000);
    expect(sentAt).toEqual(expected);
  });

  it('new calls do not delay the next one', async () => {
    const { sentAt, add } = observed();
    for (let moment = 0; moment < 15; moment += 1) {
      add(`job_${moment}`, 15);
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(sentAt).toEqual([5_000, 10_000, 15_000]);
  });

  it('a shorter lease brings it forward', async () => {
    const { sentAt, add } = observed();
    add('job_1', 15);
    await jest.advanceTimersByTimeAsync(1_000);
    add('job_2', 3);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sentAt).toEqual([2_000]);
  });

  it('a failed one is repeated after 500 ms', async () => {
    let fail = true;
    const { sentAt, add } = observed(() =>
      fail ? Promise.reject(new Error('away')) : Promise.resolve({ leases: [] }),
    );
    add('job_1', 15);
    await jest.advanceTimersByTimeAsync(5_500);
    fail = false;
    await jest.advanceTimersByTimeAsync(500);
    expect(sentAt).toEqual([5_000, 5_500, 6_000]);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(sentAt).toEqual([5_000, 5_500, 6_000, 11_000]);
  });

  it.each([
    [0, 5_250],
    [1, 5_500],
  ])('a failed one is repeated with jitter: random value %d', async (chance, expected) => {
    const { sentAt, add } = observed(
      () => Promise.reject(new Error('away')),
      () => chance,
    );
    add('job_1', 15);
    await jest.advanceTimersByTimeAsync(expected);
    expect(sentAt).toEqual([5_000, expected]);
  });

  it('while none is answered, another is sent every second, at most five concurrently', async () => {
    const answers: (() => void)[] = [];
    const { sentAt, add } = observed(() => new Promise((resolve) => answers.push(() => resolve({ leases: [] }))));
    add('job_1', 15);
    await jest.advanceTimersByTimeAsync(12_000);
    expect(sentAt).toEqual([5_000, 6_000, 7_000, 8_000, 9_000]);
    answers[4]?.();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(sentAt).toEqual([5_000, 6_000, 7_000, 8_000, 9_000, 17_000]);
  });

  it('an unanswered one is ignored when the next is answered', async () => {
    let sent = 0;
    const { sentAt, add } = observed(() =>
      (sent += 1) === 1 ? new Promise(() => undefined) : Promise.resolve({ leases: [] }),
    );
    add('job_1', 15);
    await jest.advanceTimersByTimeAsync(16_000);
    expect(sentAt).toEqual([5_000, 6_000, 11_000, 16_000]);
  });

  it('end with the last lease and begin again with the next', async () => {
    const { sentAt, leases, add } = observed();
    add('job_1', 15);
    await jest.advanceTimersByTimeAsync(5_000);
    leases.clear();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(sentAt).toEqual([5_000]);
    add('job_2', 15);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(sentAt).toEqual([5_000, 70_000]);
  });

  it('an answer for another epoch is ignored', async () => {
    const about = (epoch: number) => ({ job_id: 'job_1', epoch, state: 'lost' as const, cancel_requested: false });
    let epoch = 2;
    const { leases, add } = observed(() => Promise.resolve({ leases: [about(epoch)] }));
    add('job_1', 15);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(leases.get('job_1')?.leaseLost).not.toHaveBeenCalled();
    epoch = 1;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(leases.get('job_1')?.leaseLost).toHaveBeenCalledTimes(1);
  });
});
