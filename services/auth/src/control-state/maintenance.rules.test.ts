import { isOpen, maintenanceOf, type MaintenanceChange } from './maintenance.rules';

const at = '2030-01-01T10:00:00.000Z';

describe('the maintenance window', () => {
  it('fills in what a change leaves out', () => {
    expect(maintenanceOf({ active: true })).toEqual({
      active: true,
      retryAfterSeconds: 60,
      startsAt: '',
      endsAt: '',
      message: '',
    });
  });

  const ends = '2030-01-01T11:00:00.000Z';
  it.each<[string, MaintenanceChange, string, boolean]>([
    ['a plan before it starts', { active: true, starts_at: at, ends_at: ends }, '2030-01-01T09:59:59.999Z', false],
    ['a plan as it starts', { active: true, starts_at: at, ends_at: ends }, at, true],
    ['a plan that was sent back while it was not open', { active: false, starts_at: at, ends_at: ends }, at, true],
    ['a plan before it ends', { active: false, starts_at: at, ends_at: ends }, '2030-01-01T10:59:59.999Z', true],
    ['a plan as it ends', { active: true, starts_at: at, ends_at: ends }, ends, false],
    ['a plan without an end', { active: false, starts_at: at }, '2031-01-01T00:00:00.000Z', true],
    ['a window before its end', { active: true, ends_at: ends }, at, true],
    ['a window at its end', { active: true, ends_at: ends }, ends, false],
    ['a window that is not', { active: false, ends_at: ends }, at, false],
  ])('%s', (_, change, now, open) => expect(isOpen(maintenanceOf(change), new Date(now))).toBe(open));

  it('keeps times in UTC', () => {
    expect(maintenanceOf({ active: true, starts_at: '2030-01-01T12:00:00+02:00' }).startsAt).toBe(at);
  });

  it.each<[string, MaintenanceChange, boolean]>([
    ['ends a millisecond after it starts', { active: true, starts_at: at, ends_at: '2030-01-01T10:00:00.001Z' }, true],
    ['ends as it starts', { active: true, starts_at: at, ends_at: at }, false],
    [
      'ends before it starts, written in another zone',
      { active: true, starts_at: at, ends_at: '2030-01-01T11:59:00+02:00' },
      false,
    ],
    ['only starts', { active: true, starts_at: at, ends_at: null }, true],
    ['only ends', { active: true, ends_at: at }, true],
  ])('%s', (_, change, accepted) => {
    const attempt = () => maintenanceOf(change);
    if (accepted) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(expect.objectContaining({ code: 'BadRequestError' }));
  });
});
