import { AppError } from '@parley/errors';
import { ControlState } from '@parley/proto/auth';
import type { Clock } from './clock';
import { ControlStateMirror, verificationMaxAgeMs } from './control-state-mirror';
import { createLogger } from './log';

const log = createLogger({ service: 'test', level: 'silent' });

class Auth {
  asked: string[] = [];
  answer: Partial<ControlState> | Error = { epoch: '1' };
  /** Responses that are returned before `answer`, one by one. */
  answers: (Partial<ControlState> | Error)[] = [];
  onAsked: () => void = () => undefined;
  private release: (() => void) | undefined;

  readonly fetch = async (since: string): Promise<ControlState> => {
    this.asked.push(since);
    this.onAsked();
    if (this.release !== undefined) await this.held;
    const answer = this.answers.shift() ?? this.answer;
    if (answer instanceof Error) throw answer;
    return ControlState.fromPartial(answer);
  };

  private held: Promise<void> = Promise.resolve();

  /** Holds back responses until the returned function is called. */
  hold(): () => void {
    this.held = new Promise((resolve) => (this.release = resolve));
    return () => {
      this.release?.();
      this.release = undefined;
    };
  }
}

function setUp(options: { revokedLimit?: number } = {}) {
  const auth = new Auth();
  let elapsedMs = 5_000;
  const start = Date.parse('2026-03-01T12:00:00Z');
  const clock: Clock = { now: () => new Date(start + elapsedMs - 5_000), monotonicMs: () => elapsedMs };
  const mirror = new ControlStateMirror({ fetch: auth.fetch, clock, log, ...options });
  return { auth, mirror, advance: (ms: number) => (elapsedMs += ms) };
}

const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
  }
  return 'resolved';
};

describe('ControlStateMirror', () => {
  it('the state is trusted for one second after the poll was sent, by the monotonic clock', async () => {
    const { auth, mirror, advance } = setUp();
    expect(mirror.trusted()).toBe(false);
    const release = auth.hold();
    const refreshed = mirror.refreshed();
    advance(300);
    release();
    await refreshed;
    advance(699);
    expect(mirror.trusted()).toBe(true);
    advance(1);
    expect(mirror.trusted()).toBe(false);
  });

  it('callers share one poll when the state is no longer trusted, and need none while it is', async () => {
    const { auth, mirror, advance } = setUp();
    const release = auth.hold();
    const all = Promise.all(Array.from({ length: 20 }, () => mirror.refreshed()));
    release();
    await all;
    await mirror.refreshed();
    expect(auth.asked).toEqual(['0']);
    advance(1_000);
    await mirror.refreshed();
    expect(auth.asked).toEqual(['0', '1']);
  });

  it('throws 503 if auth is unavailable, never an outdated result', async () => {
    const { auth, mirror, advance } = setUp();
    await mirror.refreshed();
    auth.answer = new Error('auth is unavailable');
    expect(await refusal(mirror.refreshed())).toBe('resolved');
    advance(1_000);
    expect(await refusal(mirror.refreshed())).toBe('503 internal_error');
    expect(mirror.trusted()).toBe(false);
  });

  it('a caller that joined a failed poll polls once more, and only if that fails throws 503', async () => {
    const { auth, mirror } = setUp();
    auth.answers = [new Error('the deadline is over')];
    const [first, joined] = [refusal(mirror.refreshed()), refusal(mirror.refreshed())];
    expect([await first, await joined]).toEqual(['503 internal_error', 'resolved']);
    expect(auth.asked).toEqual(['0', '0']);
    const away = setUp();
    away.auth.answer = new Error('auth is unavailable');
    const both = [refusal(away.mirror.refreshed()), refusal(away.mirror.refreshed())];
    expect(await Promise.all(both)).toEqual(['503 internal_error', '503 internal_error']);
    expect(away.auth.asked).toHaveLength(2);
  });

  it('a response that took longer than the trust period is followed by another poll', async () => {
    const { auth, mirror, advance } = setUp();
    const release = auth.hold();
    const refreshed = mirror.refreshed();
    advance(1_500);
    release();
    await refreshed;
    expect(auth.asked).toEqual(['0', '1']);
    expect(mirror.trusted()).toBe(true);
  });

  it('a partial state is merged, and the next poll names its epoch', async () => {
    const { auth, mirror, advance } = setUp();
    auth.answer = {
      epoch: '7',
      complete: true,
      suspendedOrganizationIds: ['org_a', 'org_b'],
      suspendedAgentIds: ['agt_a'],
    };
    await mirror.refreshed();
    auth.answer = {
      epoch: '9',
      revokedKeyIds: ['key_b'],
      suspendedOrganizationIds: ['org_c'],
      reinstatedOrganizationIds: ['org_a'],
      reinstatedAgentIds: ['agt_a'],
    };
    advance(1_000);
    await mirror.refreshed();
    expect(auth.asked).toEqual(['0', '7']);
    expect(mirror.epoch).toBe('9');
    expect(['key_b', 'key_c'].map((id) => mirror.isRevoked(id))).toEqual([true, false]);
    expect(mirror.suspendedOrganizationIds()).toEqual(['org_b', 'org_c']);
    expect(['org_a', 'org_b'].map((id) => mirror.isSuspendedOrganization(id))).toEqual([false, true]);
    expect([mirror.isSuspendedAgent('agt_a'), mirror.suspendedAgentIds()]).toEqual([false, []]);
  });

  it('a complete state replaces the previous one, and earlier verifications are no longer valid', async () => {
    const { auth, mirror, advance } = setUp();
    auth.answer = { epoch: '7', complete: true, suspendedOrganizationIds: ['org_a'], suspendedAgentIds: ['agt_a'] };
    await mirror.refreshed();
    expect([mirror.knowsSince(6n), mirror.knowsSince(7n)]).toEqual([false, true]);
    const { generation } = mirror;
    auth.answer = { epoch: '8', revokedKeyIds: ['key_a'] };
    advance(1_000);
    await mirror.refreshed();
    expect([mirror.generation, mirror.knowsSince(7n), mirror.isRevoked('key_a')]).toEqual([generation, true, true]);
    auth.answer = { epoch: '900', complete: true, suspendedOrganizationIds: ['org_b'] };
    advance(1_000);
    await mirror.refreshed();
    expect(mirror.generation).toBeGreaterThan(generation);
    expect([mirror.knowsSince(899n), mirror.knowsSince(900n)]).toEqual([false, true]);
    expect([mirror.suspendedOrganizationIds(), mirror.suspendedAgentIds()]).toEqual([['org_b'], []]);
  });

  it('polls again while there are more pages, and trusts the state only after the last', async () => {
    const { auth, mirror } = setUp();
    const trusted: boolean[] = [];
    auth.answers = [
      { epoch: '3', revokedKeyIds: ['key_1'], more: true },
      { epoch: '5', revokedKeyIds: ['key_2'], more: true },
      { epoch: '6', revokedKeyIds: ['key_3'] },
    ];
    auth.onAsked = () => trusted.push(mirror.trusted());
    await mirror.refreshed();
    expect([auth.asked, trusted]).toEqual([
      ['0', '3', '5'],
      [false, false, false],
    ]);
    expect([mirror.trusted(), mirror.epoch]).toEqual([true, '6']);
    expect(['key_1', 'key_2', 'key_3'].map((id) => mirror.isRevoked(id))).toEqual([true, true, true]);
  });

  it('keeps a bounded number of revocations; discarding the oldest invalidates only verifications before them', async () => {
    const { auth, mirror, advance } = setUp({ revokedLimit: 4 });
    const poll = async (epoch: number, ...revokedKeyIds: string[]): Promise<void> => {
      auth.answer = { epoch: String(epoch), revokedKeyIds };
      advance(1_000);
      await mirror.refreshed();
    };
    await poll(3, 'key_1', 'key_2');
    await poll(5, 'key_3', 'key_4');
    expect([1, 2, 3, 4].map((n) => mirror.isRevoked(`key_${n}`))).toEqual([true, true, true, true]);
    expect(mirror.knowsSince(0n)).toBe(true);
    await poll(7, 'key_5');
    expect([1, 2, 3, 4, 5].map((n) => mirror.isRevoked(`key_${n}`))).toEqual([false, false, true, true, true]);
    expect([mirror.knowsSince(2n), mirror.knowsSince(3n)]).toEqual([false, true]);
  });

  it('keeps a revocation at least as long as a verification is valid, and less than three times as long', async () => {
    const { auth, mirror, advance } = setUp();
    const poll = async (epoch: number, ...revokedKeyIds: string[]): Promise<void> => {
      auth.answer = { epoch: String(epoch), revokedKeyIds };
      await mirror.refreshed();
    };
    advance(verificationMaxAgeMs - 1_000);
    await poll(2, 'key_1');
    advance(verificationMaxAgeMs);
    await poll(3);
    expect([mirror.isRevoked('key_1'), mirror.knowsSince(0n)]).toEqual([true, true]);
    advance(verificationMaxAgeMs);
    await poll(4);
    expect([mirror.isRevoked('key_1'), mirror.knowsSince(1n), mirror.knowsSince(2n)]).toEqual([false, false, true]);
  });

  it('an epoch that went backwards throws 503 and causes a poll for the complete state', async () => {
    const { auth, mirror, advance } = setUp();
    auth.answer = { epoch: '7', revokedKeyIds: ['key_a'] };
    await mirror.refreshed();
    auth.answer = { epoch: '2', revokedKeyIds: ['key_b'] };
    advance(1_000);
    expect(await refusal(mirror.refreshed())).toBe('503 internal_error');
    await mirror.refreshed();
    expect(auth.asked).toEqual(['0', '7', '0']);
    expect([mirror.isRevoked('key_a'), mirror.isRevoked('key_b'), mirror.epoch]).toEqual([false, true, '2']);
    expect(mirror.generation).toBe(1);
  });

  it.each([
    ['with active false is closed', { active: false, startsAt: '', endsAt: '' }, 0, false],
    ['without times is open', { active: true, startsAt: '', endsAt: '' }, 0, true],
    ['before it starts', { active: true, startsAt: '2026-03-01T12:00:10Z', endsAt: '' }, 9_999, false],
    ['at its start', { active: true, startsAt: '2026-03-01T12:00:10Z', endsAt: '' }, 10_000, true],
    ['before its end', { active: true, startsAt: '', endsAt: '2026-03-01T12:00:10Z' }, 9_999, true],
    ['at its end', { active: true, startsAt: '', endsAt: '2026-03-01T12:00:10Z' }, 10_000, false],
  ])('a maintenance window %s', async (_case, window, afterMs, active) => {
    const { auth, mirror, advance } = setUp();
    auth.answer = { epoch: '1', maintenance: { ...window, retryAfterSeconds: 30, message: 'soon back' } };
    await mirror.refreshed();
    advance(afterMs);
    expect(mirror.maintenance().active).toBe(active);
  });

  it.each([
    ['the remaining time', '2026-03-01T12:01:30Z', 0, 90],
    ['rounded up to whole seconds', '2026-03-01T12:01:30Z', 88_001, 2],
    ['at least 1', '2026-03-01T12:01:30Z', 89_999, 1],
    ['the configured value if there is no end', '', 88_001, 30],
  ])('Retry-After during maintenance is %s', async (_case, endsAt, afterMs, expected) => {
    const { auth, mirror, advance } = setUp();
    auth.answer = {
      epoch: '1',
      maintenance: { active: true, startsAt: '', endsAt, retryAfterSeconds: 30, message: '' },
    };
    await mirror.refreshed();
    advance(afterMs);
    expect(mirror.maintenance()).toMatchObject({ active: true, retryAfterSeconds: expected });
  });

  it('the clock of the database decides whether a window is open', async () => {
    const { auth, mirror } = setUp();
    const maintenance = {
      active: true,
      startsAt: '2026-03-01T13:00:00Z',
      endsAt: '',
      retryAfterSeconds: 1,
      message: '',
    };
    auth.answer = { epoch: '1', maintenance, nowMs: String(Date.parse('2026-03-01T13:00:00Z')) };
    await mirror.refreshed();
    expect(mirror.maintenance().active).toBe(true);
  });

  it('polls continuously, also after errors, until stop', async () => {
    const { auth, advance } = setUp();
    const clock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
    const mirror = new ControlStateMirror({ fetch: auth.fetch, clock, log, pollMs: 1 });
    auth.answer = new Error('away');
    mirror.start();
    while (auth.asked.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(mirror.trusted()).toBe(false);
    auth.answer = { epoch: '4' };
    while (!mirror.trusted()) await new Promise((resolve) => setTimeout(resolve, 1));
    await mirror.stop();
    const asked = auth.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(auth.asked.length).toBe(asked);
    advance(0);
  });
});
