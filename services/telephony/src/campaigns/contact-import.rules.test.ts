import { AppError } from '@parley/errors';
import { contactOfRow, headerOf, refuseExcess } from './contact-import.rules';

const refusalOf = (cells: string[]): string => {
  try {
    return `accepted: ${headerOf(cells).join()}`;
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.message}` : String(error);
  }
};

describe('the CSV header of an upload of contacts', () => {
  it.each<[string[], string[]]>([
    [['to'], ['to']],
    [
      ['phone_number', 'name'],
      ['to', 'name'],
    ],
    [
      [' to ', 'consent', 'age:number', 'vip:boolean'],
      ['to', 'consent', 'age:number', 'vip:boolean'],
    ],
    [
      ['To', 'Consent', 'Time Zone', 'age : Number'],
      ['to', 'consent', 'time_zone', 'age:number'],
    ],
    [
      ['name', 'Mobile Phone', 'timezone'],
      ['name', 'to', 'time_zone'],
    ],
    [
      ['to', 'phone', 'number'],
      ['to', 'phone', 'number'],
    ],
    [
      ['TO', 'name', '', ''],
      ['to', 'name'],
    ],
    ...[
      'Phone',
      'PHONE NUMBER',
      'phone-number',
      'Telephone',
      'Mobile',
      'number',
      'Tel.',
      'Téléphone',
      'Te\u0301le\u0301phone',
    ].map((name): [string[], string[]] => [[name], ['to']]),
    ...['Telefonnummer', 'Número', 'Móvil', 'Телефон', 'Номер телефона', 'Τηλέφωνο', '電話番号', 'ＰＨＯＮＥ'].map(
      (name): [string[], string[]] => [[name], ['to']],
    ),
  ])('%j has the columns %j', (cells, columns) => {
    expect(headerOf(cells)).toEqual(columns);
  });

  it.each([
    ['no phone number column', ['name']],
    ['two phone number columns', ['phone', 'mobile']],
    ['a name that no text can contain', ['to', 'first name']],
    ['a column without a name', ['to', '', 'name']],
    ['a repeated column', ['to', 'name', 'name']],
    ['a column repeated with a type', ['to', 'age', 'age:number']],
    ['too many columns', ['to', ...Array.from({ length: 100 }, (_, n) => `c${n}`)]],
    ['no columns', []],
    ['two columns to', ['to', 'TO']],
    ['only empty columns', ['', '']],
  ])('with %s is rejected', (_what, cells) => {
    expect(refusalOf(cells)).toMatch(/^400 /);
  });

  it.each([
    ['what it has', ['to;name'], ['to;name', 'delimiter ;?']],
    ['all columns', ['name', 'city'], ['name, city']],
    ['candidates', ['phone', 'mobile'], ['phone, mobile']],
    [
      'names that no text can contain, with names that would do',
      ['to', 'First Name', 'Größe', '2nd'],
      ['first_name', 'gro_e', 'column_2nd'],
    ],
  ])('a refusal names %s', (_what, cells, named) => {
    for (const text of named) expect(refusalOf(cells)).toContain(text);
  });
});

describe('a CSV row of an upload of contacts', () => {
  const header = ['to', 'consent', 'name', 'age:number', 'vip:boolean'];

  it('becomes a contact; empty cells are omitted', () => {
    expect(contactOfRow(header, ['+14155550100', 'yes', ' Ann ', '41', 'false'])).toEqual({
      contact: { to: '+14155550100', consent: true, variables: { name: 'Ann', age: 41, vip: false } },
    });
    expect(contactOfRow(header, ['+14155550100', '', '', '', ''])).toEqual({ contact: { to: '+14155550100' } });
    expect(contactOfRow(header, ['+14155550100'])).toEqual({ contact: { to: '+14155550100' } });
    expect(contactOfRow(header, ['+14155550100', '', '', '', '', ' ', ''])).toEqual({
      contact: { to: '+14155550100' },
    });
    expect(contactOfRow(['to', 'time_zone'], ['+14155550100', 'Europe/Berlin'])).toEqual({
      contact: { to: '+14155550100', time_zone: 'Europe/Berlin' },
    });
  });

  it.each([
    ['an invalid phone number', ['0123']],
    ['no phone number', ['', 'yes']],
    ['more cells than columns', ['+14155550100', '', '', '', '', 'x']],
    ['a consent other than yes or no', ['+14155550100', 'maybe']],
    ['text in a number column', ['+14155550100', '', '', 'old']],
    ['text in a boolean column', ['+14155550100', '', '', '', 'x']],
    ['variables that are too large', ['+14155550100', '', 'x'.repeat(17_000)]],
  ])('with %s gives an error reason', (_what, cells) => {
    expect(contactOfRow(header, cells)).toEqual({ reason: expect.any(String) });
  });

  it.each([
    ['NUL', ['+14155550100', '', 'A\0nn'], 'U+0000'],
    ['NUL in the number', ['+1415555\u00000100'], 'U+0000'],
    ['bytes of no encoding', ['+14155550100', '', 'M\uFFFDller'], 'U+FFFD'],
  ])('with %s names the character as the reason', (_what, cells, named) => {
    expect(contactOfRow(header, cells)).toEqual({ reason: expect.stringContaining(named) });
  });

  it('with an unknown time zone is invalid', () => {
    expect(contactOfRow(['to', 'time_zone'], ['+14155550100', 'Berlin'])).toEqual({ reason: expect.any(String) });
  });
});

describe('an upload', () => {
  it.each([
    [{ rows: 0, rejected: 0 }, { rows: 10_000, rejected: 10_000 }, undefined],
    [{ rows: 0, rejected: 0 }, { rows: 10_001, rejected: 10_001 }, 'BadRequestError'],
    [{ rows: 20_000, rejected: 9_999 }, { rows: 5, rejected: 1 }, undefined],
    [{ rows: 20_000, rejected: 9_999 }, { rows: 5, rejected: 2 }, 'BadRequestError'],
    [{ rows: 999_999, rejected: 0 }, { rows: 1, rejected: 0 }, undefined],
    [{ rows: 999_999, rejected: 0 }, { rows: 2, rejected: 0 }, 'BadRequestError'],
  ])('with %j before and %j in a chunk is refused as %s', (before, read, code) => {
    let thrown: unknown;
    try {
      refuseExcess(before, read, []);
    } catch (error) {
      thrown = error;
    }
    expect((thrown as AppError | undefined)?.code).toBe(code);
  });

  it('that is refused names its first 100 faults by line', () => {
    const faults = Array.from({ length: 10_001 }, (_, n) => ({ line: 10_002 - n, reason: 'is wrong' }));
    const refused = (): void => refuseExcess({ rows: 0, rejected: 0 }, { rows: 10_001, rejected: 10_001 }, faults);
    const errors = Array.from({ length: 100 }, (_, n) => {
      const path = `lines[${n + 2}]`;
      return { path, code: 'format', message: `${path} is wrong` };
    });
    expect(refused).toThrow(expect.objectContaining({ fields: { errors } }));
  });
});
