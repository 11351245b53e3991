import type { CampaignWindow } from '@parley/contract';
import fc from 'fast-check';
import { isOpen, nextOpening } from './calling-window.rules';

const window = (change: Partial<CampaignWindow> = {}): CampaignWindow => ({
  time_zone: 'Europe/Berlin',
  days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  start: '09:00',
  end: '17:00',
  ...change,
});
const at = (text: string): Date => new Date(text);

describe('the calling window of a campaign', () => {
  it.each<[string, boolean]>([
    // A Wednesday in winter time, UTC+1.
    ['2026-01-14T07:59:59.999Z', false],
    ['2026-01-14T08:00:00.000Z', true],
    ['2026-01-14T15:59:59.999Z', true],
    ['2026-01-14T16:00:00.000Z', false],
    // Summer time, UTC+2.
    ['2026-07-15T06:59:59.999Z', false],
    ['2026-07-15T07:00:00.000Z', true],
    ['2026-07-15T15:00:00.000Z', false],
  ])('includes start and excludes end, in local time: %s is open: %s', (time, open) => {
    expect(isOpen(window(), at(time))).toBe(open);
  });

  it.each<[string, boolean]>([
    ['2026-01-16T12:00:00Z', true],
    ['2026-01-17T12:00:00Z', false],
    // Friday in Auckland is still Thursday in UTC.
    ['2026-01-18T23:30:00Z', false],
  ])('is open on its days only: %s is open: %s', (time, open) => {
    expect(isOpen(window({ days: ['mon', 'tue', 'wed', 'thu', 'fri'] }), at(time))).toBe(open);
  });

  it('uses the days of its time zone', () => {
    const auckland = window({ time_zone: 'Pacific/Auckland', days: ['fri'], start: '08:00', end: '12:00' });
    expect(isOpen(auckland, at('2026-01-15T20:00:00Z'))).toBe(true);
    expect(isOpen(auckland, at('2026-01-16T20:00:00Z'))).toBe(false);
  });

  it.each<[string, boolean]>([
    ['2026-01-16T20:59:00Z', false],
    ['2026-01-16T21:00:00Z', true],
    ['2026-01-17T00:59:00Z', true],
    ['2026-01-17T01:00:00Z', false],
    ['2026-01-16T00:30:00Z', false],
  ])('across midnight belongs to the day on which it opens: %s is open: %s', (time, open) => {
    expect(isOpen(window({ days: ['fri'], start: '22:00', end: '02:00' }), at(time))).toBe(open);
  });

  it('within the hour skipped in spring opens at the end of that hour, or not on that day', () => {
    // 2026-03-29: 02:00 to 03:00 does not exist in Berlin; 01:00 UTC is 03:00.
    const early = window({ start: '02:30', end: '04:00' });
    expect(isOpen(early, at('2026-03-29T00:59:00Z'))).toBe(false);
    expect(isOpen(early, at('2026-03-29T01:00:00Z'))).toBe(true);
    expect(nextOpening(early, at('2026-03-29T00:10:00Z'))).toEqual(at('2026-03-29T01:00:00Z'));
    const gone = window({ start: '02:15', end: '02:45' });
    expect(nextOpening(gone, at('2026-03-29T00:10:00Z'))).toEqual(at('2026-03-30T00:15:00Z'));
  });

  it('within the hour repeated in autumn is open both times', () => {
    // 2026-10-25: 02:00 to 03:00 occurs twice, at 00:00 and at 01:00 UTC.
    const twice = window({ start: '02:00', end: '02:30' });
    const shown = ['00:00', '00:29', '00:30', '00:59', '01:00', '01:29', '01:30'].map((time) =>
      isOpen(twice, at(`2026-10-25T${time}:00Z`)),
    );
    expect(shown).toEqual([true, true, false, false, true, true, false]);
  });

  it('opens at the same local time before and after a clock change', () => {
    for (const day of ['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-24', '2026-10-25', '2026-10-26']) {
      const opens = nextOpening(window(), at(`${day}T03:00:00Z`));
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' }).format(opens);
      expect(clock).toBe('09:00');
    }
  });

  const minutes = fc.integer({ min: 0, max: 1439 });
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'];

  it('property: nextOpening is the first open time and at most eight days ahead', () => {
    const some = fc.record({
      time_zone: fc.constantFrom(...zones),
      days: fc.uniqueArray(fc.constantFrom('mon' as const, 'wed' as const, 'sat' as const, 'sun' as const), {
        minLength: 1,
      }),
      start: minutes,
      length: fc.integer({ min: 5, max: 1400 }),
    });
    const when = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) });
    fc.assert(
      fc.property(some, when, fc.double({ min: 0, max: 1, noNaN: true }), ({ start, length, ...rest }, time, share) => {
        const wanted = { ...rest, start: clock(start), end: clock((start + length) % 1440) };
        const now = new Date(time);
        const opening = nextOpening(wanted, now);
        // A window that only covers a skipped hour opens the week after.
        expect(opening.getTime() - time).toBeLessThanOrEqual(8 * 86_400_000);
        expect(isOpen(wanted, opening)).toBe(true);
        const before = time + Math.floor((opening.getTime() - time) * share) - 1;
        if (opening > now && before >= time) expect(isOpen(wanted, new Date(before))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
