import { maintenanceOf, type MaintenanceChange } from './maintenance.rules';

const at = '2030-01-01T10:00:00.000Z';

describe('7.3: the maintenance window', () => {
  it('fills in what a change leaves out', () => {
    expect(maintenanceOf({ active: true })).toEqual({
      active: true,
      retryAfterSeconds: 60,
      startsAt: '',
      endsAt: '',
      message: '',
    });
  });

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
