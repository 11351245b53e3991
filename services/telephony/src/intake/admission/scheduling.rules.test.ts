import { AppError } from '@parley/errors';
import { isScheduled } from './scheduling.rules';

const now = new Date('2026-03-01T12:00:00.000Z');
const day = 86_400_000;

describe('scheduled_at', () => {
  const outcome = (offsetMs: number): unknown => {
    try {
      return isScheduled(new Date(now.getTime() + offsetMs).toISOString(), now);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [error.status, error.code, (error.fields['errors'] as { path: string; code: string }[])[0]];
    }
  };
  const refused = (code: string) => [400, 'BadRequestError', expect.objectContaining({ path: 'scheduled_at', code })];

  it.each([
    ['60.001 s ago is rejected', -60_001, refused('too_small')],
    ['60 s ago counts as now', -60_000, false],
    ['now is not scheduled', 0, false],
    ['a millisecond ahead is scheduled', 1, true],
    ['365 days ahead is scheduled', 365 * day, true],
    ['365 days and a millisecond ahead is rejected', 365 * day + 1, refused('too_large')],
  ])('%s', (_, offsetMs, expected) => expect(outcome(offsetMs)).toEqual(expected));

  it('absent counts as now', () => expect(isScheduled(undefined, now)).toBe(false));
});
