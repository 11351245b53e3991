import { AppError } from '@parley/errors';
import { contactOfRow, headerOf } from './contact-import.rules';

describe('the CSV header of an upload of contacts', () => {
  it.each([[['to']], [['phone_number', 'name']], [[' to ', 'consent', 'age:number', 'vip:boolean']]])(
    'accepts %j',
    (cells) => {
      expect(headerOf(cells)).toEqual(cells.map((cell) => cell.trim()));
    },
  );

  it.each([
    ['no phone number column', ['name']],
    ['two phone number columns', ['to', 'phone_number']],
    ['a column without a name', ['to', '']],
    ['a repeated column', ['to', 'name', 'name']],
    ['a column repeated with a type', ['to', 'age', 'age:number']],
    ['too many columns', ['to', ...Array.from({ length: 100 }, (_, n) => `c${n}`)]],
    ['no columns', []],
  ])('with %s is rejected', (_what, cells) => {
    expect(() => headerOf(cells)).toThrow(AppError);
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
});
