import { isOpen, maintenanceOf, type MaintenanceChange } from './maintenance.rules';

const at = '2030-01-01T10:00:00.000Z';

describe('the maintenance window', () => {
  it('fills omitted fields with their defaults', () => {
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
    [
      'a planned window is closed before starts_at',
      { active: true, starts_at: at, ends_at: ends },
      '2030-01-01T09:59:59.999Z',
      false,
    ],
    ['a planned window is open at starts_at', { active: true, starts_at: at, ends_at: ends }, at, true],
    [
      'a planned window with active false is open at starts_at',
      { active: false, starts_at: at, ends_at: ends },
      at,
      true,
    ],
    [
      'a planned window is open before ends_at',
      { active: false, starts_at: at, ends_at: ends },
      '2030-01-01T10:59:59.999Z',
      true,
    ],
    ['a planned window is closed at ends_at', { active: true, starts_at: at, ends_at: ends }, ends, false],
    [
      'a planned window without ends_at remains open',
      { active: false, starts_at: at },
      '2031-01-01T00:00:00.000Z',
      true,
    ],
    ['a window without starts_at is open before ends_at', { active: true, ends_at: ends }, at, true],
    ['a window without starts_at is closed at ends_at', { active: true, ends_at: ends }, ends, false],
    ['a window with active false and no starts_at is closed', { active: false, ends_at: ends }, at, false],
  ])('%s', (_, change, now, open) => expect(isOpen(maintenanceOf(change), new Date(now))).toBe(open));

  it('stores times in UTC', () => {
    expect(maintenanceOf({ active: true, starts_at: '2030-01-01T12:00:00+02:00' }).startsAt).toBe(at);
  });

  it.each<[string, MaintenanceChange, boolean]>([
    [
      'ends_at a millisecond after starts_at is accepted',
      { active: true, starts_at: at, ends_at: '2030-01-01T10:00:00.001Z' },
      true,
    ],
    ['ends_at equal to starts_at is rejected', { active: true, starts_at: at, ends_at: at }, false],
    [
      'ends_at before starts_at in another time zone is rejected',
      { active: true, starts_at: at, ends_at: '2030-01-01T11:59:00+02:00' },
      false,
    ],
    ['starts_at without ends_at is accepted', { active: true, starts_at: at, ends_at: null }, true],
    ['ends_at without starts_at is accepted', { active: true, ends_at: at }, true],
  ])('%s', (_, change, accepted) => {
    const attempt = () => maintenanceOf(change);
    if (accepted) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(expect.objectContaining({ code: 'BadRequestError' }));
  });
});
