import { AppError } from '@parley/errors';
import { contactOfRow, headerOf } from './contact-import.rules';

describe('the header of an upload', () => {
  it.each([[['to']], [['phone_number', 'name']], [[' to ', 'consent', 'age:number', 'vip:boolean']]])(
    '%j is one',
    (cells) => {
      expect(headerOf(cells)).toEqual(cells.map((cell) => cell.trim()));
    },
  );

  it.each([
    ['no number', ['name']],
    ['two numbers', ['to', 'phone_number']],
    ['a column without a name', ['to', '']],
    ['a column twice', ['to', 'name', 'name']],
    ['a column twice by its type', ['to', 'age', 'age:number']],
    ['too many columns', ['to', ...Array.from({ length: 100 }, (_, n) => `c${n}`)]],
    ['nothing', []],
  ])('with %s is refused', (_what, cells) => {
    expect(() => headerOf(cells)).toThrow(AppError);
  });
});

describe('a row of an upload', () => {
  const header = ['to', 'consent', 'name', 'age:number', 'vip:boolean'];

  it('becomes a contact; empty cells are absent', () => {
    expect(contactOfRow(header, ['+14155550100', 'yes', ' Ann ', '41', 'false'])).toEqual({
      contact: { to: '+14155550100', consent: true, variables: { name: 'Ann', age: 41, vip: false } },
    });
    expect(contactOfRow(header, ['+14155550100', '', '', '', ''])).toEqual({ contact: { to: '+14155550100' } });
    expect(contactOfRow(header, ['+14155550100'])).toEqual({ contact: { to: '+14155550100' } });
  });

  it.each([
    ['a number that is none', ['0123']],
    ['no number', ['', 'yes']],
    ['more cells than columns', ['+14155550100', '', '', '', '', 'x']],
    ['a consent that is neither', ['+14155550100', 'maybe']],
    ['a number that is a text', ['+14155550100', '', '', 'old']],
    ['a boolean that is a text', ['+14155550100', '', '', '', 'x']],
    ['variables that are too large', ['+14155550100', '', 'x'.repeat(17_000)]],
  ])('with %s is reported', (_what, cells) => {
    expect(contactOfRow(header, cells)).toEqual({ reason: expect.any(String) });
  });
});
