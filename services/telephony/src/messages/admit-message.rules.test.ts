import { admitMessages, type MessageRequest } from './admit-message.rules';
import type { OrganizationState } from '../organizations/organization-state.rules';

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
  it('each is decided on what those before it leave; the wallet holds exactly', () => {
    expect(decided(state, request(), request(), request())).toEqual([10, 10, 'balance']);
    expect(admitMessages(state, [request(), request(), request()], now).change).toEqual({
      reservedMicros: 20,
      spendMicros: 20,
      spendDay: '2026-03-01',
    });
  });

  it('the cap of the day holds exactly, and begins again with the day', () => {
    const unmetered: OrganizationState = { ...state, billing: 'unmetered' };
    expect(decided(unmetered, request(), request(), request(), request())).toEqual([10, 10, 10, 'daily_spend']);
    expect(decided({ ...unmetered, spendDay: '2026-02-28' }, request({ holdMicros: 100 }))).toEqual([100]);
    expect(decided({ ...unmetered, spendDay: '2026-02-28' }, request({ holdMicros: 101 }))).toEqual(['daily_spend']);
  });

  it('suppression goes before spend, spend before the wallet, the wallet before policy, which takes nothing', () => {
    const blocked = request({ policy: { verdict: 'blocked', rules: ['x'] } });
    expect(decided(state, request({ suppressed: true, holdMicros: 1000 }))).toEqual(['suppressed']);
    expect(decided(state, request({ holdMicros: 1000 }))).toEqual(['daily_spend']);
    expect(decided(state, { ...blocked, holdMicros: 25 })).toEqual(['balance']);
    expect(decided(state, blocked, blocked, blocked)).toEqual([null, null, null]);
  });
});
