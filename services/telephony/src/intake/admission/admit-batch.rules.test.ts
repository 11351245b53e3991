import type { CapsRule } from '@parley/contract';
import { admitBatch, retryAfterSeconds, stateAfter, type AdmissionRequest } from './admit-batch.rules';
import type { PolicyDecision } from '../../books/calls/call.rules';
import type { OrganizationLimits, OrganizationState } from '../../books/organizations/organization-state.rules';

const now = new Date('2026-03-01T12:00:00.000Z');
const none: OrganizationLimits = {
  queueCap: null,
  liveCallsCap: null,
  callsPerMinute: null,
  callsPerHour: null,
  dailySpendCapMicros: null,
};
const state = (
  change: Partial<OrganizationState> = {},
  limits: Partial<OrganizationLimits> = {},
): OrganizationState => ({
  revision: 7,
  billing: 'unmetered',
  limits: { ...none, ...limits },
  queued: 0,
  live: 0,
  recent: '',
  spendDay: '2026-03-01',
  spendMicros: 0,
  balanceMicros: 0,
  reservedMicros: 0,
  drainPerSecond: 0,
  ...change,
});
const verdict = (is: PolicyDecision['verdict']): PolicyDecision => ({ verdict: is, rules: [], notes: null });
const request = (change: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  suppressed: false,
  holdMicros: 100,
  policy: verdict('allowed'),
  ...change,
});
const many = (count: number): AdmissionRequest[] => Array.from({ length: count }, () => request());
const batch = (from: OrganizationState, requests: AdmissionRequest[], queueCap = 1000) =>
  admitBatch(from, requests, now, queueCap);
const reported = (from: OrganizationState, requests: AdmissionRequest[], queueCap = 1000): string[] =>
  batch(from, requests, queueCap).decisions.map((each) => (each.admitted ? each.status : each.refusal.reason));

const caps = (rule: Partial<CapsRule>): CapsRule => ({ mode: 'enforce', ...rule });

describe('a batch of admissions', () => {
  it.each<[string, OrganizationState, Partial<CapsRule>, string]>([
    ['live calls', state({ live: 4 }), { live_calls: 6 }, 'cap_live_calls'],
    ['calls per minute', state(), { calls_per_minute: 2 }, 'cap_calls_per_minute'],
    ['calls per hour', state(), { calls_per_hour: 2 }, 'cap_calls_per_hour'],
    ['daily spend', state({ spendMicros: 800 }), { daily_spend_micros: 1000 }, 'cap_daily_spend'],
  ])(
    'policy cap on %s: the call that reaches it is queued, the next gets the verdict of mode and action',
    (_, from, rule, id) => {
      const agentSnapshot = Array.from({ length: 3 }, () => request({ caps: caps(rule) }));
      const { decisions, change } = batch(from, agentSnapshot);
      expect(decisions).toMatchObject([
        { status: 'queued', capped: false, policy: { verdict: 'allowed', rules: [] } },
        { status: 'queued', capped: false },
        { status: 'policy_blocked', holdMicros: null, capped: true, policy: { verdict: 'blocked', rules: [id] } },
      ]);
      expect(change).toMatchObject({ queued: 2, live: 2, spendMicros: 200 });
      const shadowed = batch(
        from,
        agentSnapshot.map((each) => ({ ...each, caps: caps({ ...rule, mode: 'shadow' }) })),
      );
      expect(shadowed.decisions).toMatchObject([
        { status: 'queued' },
        { status: 'queued' },
        { status: 'queued', capped: false },
      ]);
      const last = shadowed.decisions[2];
      expect(last?.admitted === true && JSON.parse(last.policy.notes ?? '')).toEqual({
        shadow: [{ rule: id, verdict: 'blocked', reason: expect.any(String) as unknown }],
      });
      expect(shadowed.change).toMatchObject({ queued: 3, live: 3 });
      expect(
        reported(
          from,
          agentSnapshot.map((each) => ({ ...each, caps: caps({ ...rule, mode: 'off' }) })),
        ),
      ).toEqual(Array.from({ length: 3 }, () => 'queued'));
      expect(
        reported(
          from,
          agentSnapshot.map((each) => ({ ...each, caps: caps({ ...rule, action: 'review' }) })),
        ),
      ).toEqual(['queued', 'queued', 'needs_review']);
    },
  );

  it('policy caps are checked after limits and wallet, before the queue cap, and not for calls already in review', () => {
    const rule = caps({ live_calls: 0 });
    expect(reported(state({}, { liveCallsCap: 0 }), [request({ caps: rule })])).toEqual(['live_calls']);
    expect(reported(state({ billing: 'prepaid' }), [request({ caps: rule })])).toEqual(['balance']);
    expect(reported(state({}, { queueCap: 0 }), [request({ caps: rule })])).toEqual(['policy_blocked']);
    const { decisions } = batch(state(), [request({ caps: rule, policy: verdict('review') })]);
    expect(decisions).toMatchObject([{ status: 'needs_review', capped: false, policy: { rules: [] } }]);
  });

  it.each<[string, OrganizationState, string]>([
    ['live-call limit', state({ live: 4 }, { liveCallsCap: 5 }), 'live_calls'],
    ['spend cap', state({ spendMicros: 900 }, { dailySpendCapMicros: 1000 }), 'daily_spend'],
    ['wallet', state({ billing: 'prepaid', balanceMicros: 150, reservedMicros: 50 }), 'balance'],
  ])('inbound calls, %s: the call that reaches it is answered, the next is refused', (_, from, reason) => {
    expect(reported(from, [request({ incoming: true }), request({ incoming: true })])).toEqual(['dialing', reason]);
  });

  it('inbound calls ignore suppressions, call rates and the queue cap, and are not queued', () => {
    const from = state({}, { callsPerMinute: 0, callsPerHour: 0, queueCap: 0 });
    const { decisions, change } = batch(from, [request({ incoming: true, suppressed: true })]);
    expect(decisions).toMatchObject([{ status: 'dialing', holdMicros: 100 }]);
    expect(change).toMatchObject({ queued: 0, live: 1, spendMicros: 100, reservedMicros: 0, recent: '' });
  });

  it.each([
    ['daily spend cap', state({ spendMicros: 900 }, { dailySpendCapMicros: 1000 }), 'daily_spend'],
    ['calls per minute', state({}, { callsPerMinute: 1 }), 'calls_per_minute'],
    ['calls per hour', state({}, { callsPerHour: 1 }), 'calls_per_hour'],
    ['live-call limit', state({ live: 4 }, { liveCallsCap: 5 }), 'live_calls'],
    ['wallet', state({ billing: 'prepaid', balanceMicros: 150, reservedMicros: 50 }), 'balance'],
    ['queue cap', state({ queued: 4 }, { queueCap: 5 }), 'queue_full'],
  ])('%s: the call that reaches it is queued, the next is refused', (_, from, reason) => {
    expect(reported(from, many(2))).toEqual(['queued', reason]);
  });

  it.each([
    ['daily spend cap', state({ spendMicros: 901 }, { dailySpendCapMicros: 1000 }), 'daily_spend'],
    ['calls per minute', state({}, { callsPerMinute: 0 }), 'calls_per_minute'],
    ['calls per hour', state({}, { callsPerHour: 0 }), 'calls_per_hour'],
    ['live-call limit', state({ live: 5 }, { liveCallsCap: 5 }), 'live_calls'],
    ['wallet', state({ billing: 'prepaid', balanceMicros: 149, reservedMicros: 50 }), 'balance'],
    ['queue cap', state({ queued: 5 }, { queueCap: 5 }), 'queue_full'],
  ])('%s: a call that exceeds it by one unit is refused', (_, from, reason) => {
    expect(reported(from, many(1))).toEqual([reason]);
  });

  it('checks run in order: suppression, spend, call rates, live calls, wallet, policy, queue', () => {
    const limits = { dailySpendCapMicros: 0, callsPerMinute: 0, callsPerHour: 0, liveCallsCap: 0, queueCap: 0 };
    const agentSnapshot = [request({ suppressed: true, policy: verdict('review') })];
    const from = state({ billing: 'prepaid' }, limits);
    expect(reported(from, agentSnapshot)).toEqual(['suppressed']);
    const free = [request({ policy: verdict('review') })];
    expect(reported(from, free)).toEqual(['daily_spend']);
    const lift = (...names: (keyof OrganizationLimits)[]) =>
      state({ billing: 'prepaid' }, { ...limits, ...Object.fromEntries(names.map((name) => [name, null])) });
    expect(reported(lift('dailySpendCapMicros'), free)).toEqual(['calls_per_minute']);
    expect(reported(lift('dailySpendCapMicros', 'callsPerMinute'), free)).toEqual(['calls_per_hour']);
    expect(reported(lift('dailySpendCapMicros', 'callsPerMinute', 'callsPerHour'), free)).toEqual(['live_calls']);
    const unlimited = lift('dailySpendCapMicros', 'callsPerMinute', 'callsPerHour', 'liveCallsCap');
    expect(reported(unlimited, free)).toEqual(['balance']);
    expect(reported({ ...unlimited, balanceMicros: 100 }, free)).toEqual(['needs_review']);
    expect(reported({ ...unlimited, balanceMicros: 100 }, many(1))).toEqual(['queue_full']);
  });

  it('refused and policy-blocked requests do not count against the limits of later requests', () => {
    const from = state({ live: 0 }, { liveCallsCap: 2 });
    const agentSnapshot = [
      request({ suppressed: true }),
      request(),
      request({ policy: verdict('blocked') }),
      request(),
      request(),
    ];
    const { decisions, change } = batch(from, agentSnapshot);
    expect(decisions.map((each) => (each.admitted ? each.status : each.refusal.reason))).toEqual([
      'suppressed',
      'queued',
      'policy_blocked',
      'queued',
      'live_calls',
    ]);
    expect(change).toMatchObject({ queued: 2, live: 2, spendMicros: 200, reservedMicros: 0 });
  });

  it('a hold above the balance is refused, and smaller later ones still fit', () => {
    const from = state({ billing: 'prepaid', balanceMicros: 100 });
    const agentSnapshot = [
      request({ holdMicros: 101 }),
      request({ holdMicros: 60 }),
      request({ holdMicros: 41 }),
      request({ holdMicros: 40 }),
    ];
    expect(reported(from, agentSnapshot)).toEqual(['balance', 'queued', 'balance', 'queued']);
  });

  it('the default queue cap applies only if the organization has no queue cap', () => {
    expect(reported(state(), many(2), 1)).toEqual(['queued', 'queue_full']);
    expect(reported(state({}, { queueCap: 2 }), many(2), 1)).toEqual(['queued', 'queued']);
  });

  it.each([
    [0, 2, ['scheduled', 'queued', 'scheduled']],
    [1, 2, ['scheduled', 'queued', 'scheduled_full']],
    [2, 2, ['scheduled_full', 'queued', 'scheduled_full']],
  ])('%d of at most %d scheduled calls: only scheduled calls count against this cap', (scheduled, cap, expected) => {
    const agentSnapshot = [request({ later: true }), request(), request({ later: true })];
    const { decisions } = admitBatch(state(), agentSnapshot, now, 1000, { scheduled, cap });
    expect(decisions.map((each) => (each.admitted ? each.status : each.refusal.reason))).toEqual(expected);
  });

  it('the spend of an earlier day does not count against the daily spend cap', () => {
    const yesterday = state({ spendDay: '2026-02-28', spendMicros: 1000 }, { dailySpendCapMicros: 100 });
    const { decisions, change } = batch(yesterday, many(1));
    expect([decisions[0]?.admitted, change.spendDay]).toEqual([true, '2026-03-01']);
    expect(stateAfter(yesterday, change)).toMatchObject({ spendMicros: 100, spendDay: '2026-03-01', revision: 8 });
  });

  it('several small batches give the same decisions as one large batch', () => {
    const limits = { liveCallsCap: 9, callsPerMinute: 8, dailySpendCapMicros: 750 };
    const agentSnapshot = many(12);
    const whole = reported(state({}, limits), agentSnapshot);
    let current = state({}, limits);
    const pieces = [5, 4, 3].flatMap((size) => {
      const { decisions, change } = batch(current, agentSnapshot.slice(0, size));
      current = stateAfter(current, change);
      return decisions.map((each) => (each.admitted ? each.status : each.refusal.reason));
    });
    expect(pieces).toEqual(whole);
    expect(whole.filter((status) => status === 'queued')).toHaveLength(7);
  });
});

describe('retry_after_seconds of a full queue', () => {
  it.each([
    [1, 0, 30, 30],
    [1, 0, 0, 1],
    [1, 2, 30, 1],
    [3, 2, 30, 2],
    [10, 0.5, 30, 20],
    [9999, 0.1, 30, 3600],
  ])(
    'refused request number %d, %d claims per second (default %d s if unknown): %d s',
    (place, rate, unknown, seconds) => {
      expect(retryAfterSeconds(place, rate, unknown)).toBe(seconds);
    },
  );

  it('refused requests of a batch get consecutive places', () => {
    const { decisions } = admitBatch(state({ queued: 5 }, { queueCap: 5 }), many(3), now, 1000);
    expect(decisions.map((each) => !each.admitted && each.refusal)).toEqual(
      [1, 2, 3].map((place) => ({ reason: 'queue_full', place })),
    );
  });
});
