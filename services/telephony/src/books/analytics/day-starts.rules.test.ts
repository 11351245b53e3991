import { dayStartsOf } from './day-starts.rules';

const period = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const starts = (zone: string, from: string, to: string): string[] =>
  dayStartsOf(period(from, to), zone).map((at) => at.toISOString().slice(0, 16));

describe('the beginnings of the days of a time zone', () => {
  it('are its midnights, from the day of the first moment to that of the last', () => {
    expect(starts('UTC', '2026-03-01T00:00:00Z', '2026-03-03T00:00:00Z')).toEqual([
      '2026-03-01T00:00',
      '2026-03-02T00:00',
    ]);
    expect(starts('America/New_York', '2026-01-10T12:00:00Z', '2026-01-12T06:00:00Z')).toEqual([
      '2026-01-10T05:00',
      '2026-01-11T05:00',
      '2026-01-12T05:00',
    ]);
    expect(starts('Asia/Tokyo', '2026-01-10T15:00:00Z', '2026-01-10T16:00:00Z')).toEqual(['2026-01-10T15:00']);
  });

  it('follow clock changes, also those at midnight', () => {
    expect(starts('Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-30T22:00:00Z')).toEqual([
      '2026-03-28T23:00',
      '2026-03-29T22:00',
    ]);
    // 6 September 2026 has no midnight in Santiago: its first hour is one o'clock.
    expect(starts('America/Santiago', '2026-09-05T04:00:00Z', '2026-09-07T03:00:00Z')).toEqual([
      '2026-09-05T04:00',
      '2026-09-06T04:00',
    ]);
  });

  it('are the first whole hour of UTC where midnight is within an hour', () => {
    expect(starts('Asia/Kolkata', '2026-01-10T19:00:00Z', '2026-01-11T20:00:00Z')).toEqual([
      '2026-01-10T19:00',
      '2026-01-11T19:00',
    ]);
  });

  it('refuses a zone that does not exist with 400', () => {
    expect(() => starts('Europe/Nowhere', '2026-01-10T00:00:00Z', '2026-01-11T00:00:00Z')).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  });
});
