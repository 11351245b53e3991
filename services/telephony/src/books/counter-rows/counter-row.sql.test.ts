import { atCounterRow, eraOf, noteEra } from './counter-row.sql';

describe('the era from which a counter row is searched', () => {
  let count = 0;
  let organizationId: string;

  beforeEach(() => {
    count += 1;
    organizationId = `org_${count}`;
  });

  it.each<[string, readonly (readonly [era: number | undefined, ms: number])[], number]>([
    ['0 before the row was read', [], 0],
    ['the first era read', [[5, 0]], 5],
    [
      'the same one if a later era was just read, because its transaction may not have committed',
      [
        [5, 0],
        [6, 9_000],
        [6, 10_999],
      ],
      5,
    ],
    [
      'the later era after two seconds',
      [
        [5, 0],
        [6, 9_000],
        [6, 11_000],
      ],
      6,
    ],
    [
      'the later era, not the newest one, if every request reads another era',
      [
        [5, 0],
        [6, 10_000],
        [7, 20_000],
      ],
      6,
    ],
    [
      'the same one if the transaction that wrote the later era was rolled back',
      [
        [5, 0],
        [9, 9_000],
        [6, 9_500],
        [6, 10_000],
      ],
      5,
    ],
    [
      'an earlier era if the row was created again',
      [
        [5, 0],
        [3, 1],
      ],
      3,
    ],
    [
      '0 after the row was not found',
      [
        [5, 0],
        [undefined, 1],
      ],
      0,
    ],
  ])('is %s', (_name, notes, expected) => {
    for (const [era, ms] of notes) noteEra(organizationId, era, ms);
    expect(eraOf(organizationId)).toBe(expected);
  });

  it.each([
    ['found from that era on', 5, [5]],
    ['searched in all eras if it is older', 4, [5, 0]],
    ['searched in all eras if it does not exist', undefined, [5, 0]],
  ])('the row is %s', async (_name, era, expected) => {
    noteEra(organizationId, 5);
    const searched: number[] = [];
    const row = await atCounterRow(organizationId, (from) => {
      searched.push(from);
      return Promise.resolve(era === undefined || era < from ? undefined : { era });
    });
    expect(row).toEqual(era === undefined ? undefined : { era });
    expect(searched).toEqual(expected);
    expect(eraOf(organizationId)).toBe(era ?? 0);
  });
});
