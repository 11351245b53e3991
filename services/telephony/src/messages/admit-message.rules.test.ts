import { admitMessages, type MessageRequest } from './admit-message.rules';
import type { OrganizationState } from '../books/organizations/organization-state.rules';

const now = new Date('2026-03-01T12:00:00.000Z');
const state: OrganizationState = {
  revision: 1,
  billing: 'prepaid',
  limits: { queueCap: null, liveCallsCap: null, callsPerMinute: null, callsPerHour: null, dailySpendCapMicros: 100 },
  queued: 0,
  live: 0,
  recent: '',
  spendDay: '2026-03-01',
  spendMicros: 70,
  balanceMicros: 50,
  reservedMicros: 30,
  drainPerSecond: 0,
};
const request = (change: Partial<MessageRequest> = {}): MessageRequest => ({
  suppressed: false,
  holdMicros: 10,
  policy: { verdict: 'allowed', rules: [] },
  ...change,
});
const decided = (of: OrganizationState, ...requests: MessageRequest[]) =>
  admitMessages(of, requests, now).decisions.map((decision) =>
    decision.admitted ? decision.holdMicros : decision.refusal.reason,
  );

describe('admission of messages', () => {
  it('each message of a batch counts for the next; the wallet balance is enforced exactly', () => {
    expect(decided(state, request(), request(), request())).toEqual([10, 10, 'balance']);
    expect(admitMessages(state, [request(), request(), request()], now).change).toEqual({
      reservedMicros: 20,
      spendMicros: 20,
      spendDay: '2026-03-01',
    });
  });

  it('the daily spend cap is enforced exactly, and resets on a new day', () => {
    const unmetered: OrganizationState = { ...state, billing: 'unmetered' };
    expect(decided(unmetered, request(), request(), request(), request())).toEqual([10, 10, 10, 'daily_spend']);
    expect(decided({ ...unmetered, spendDay: '2026-02-28' }, request({ holdMicros: 100 }))).toEqual([100]);
    expect(decided({ ...unmetered, spendDay: '2026-02-28' }, request({ holdMicros: 101 }))).toEqual(['daily_spend']);
  });

  it('checks run in order: suppression, spend, wallet, policy; blocked messages reserve nothing', () => {
    const blocked = request({ policy: { verdict: 'blocked', rules: ['x'] } });
    expect(decided(state, request({ suppressed: true, holdMicros: 1000 }))).toEqual(['suppressed']);
    expect(decided(state, request({ holdMicros: 1000 }))).toEqual(['daily_spend']);
    expect(decided(state, { ...blocked, holdMicros: 25 })).toEqual(['balance']);
    expect(decided(state, blocked, blocked, blocked)).toEqual([null, null, null]);
  });
});
