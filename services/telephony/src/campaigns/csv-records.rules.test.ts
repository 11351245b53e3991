import fc from 'fast-check';
import { csvRecords } from './csv-records.rules';

const cellsOf = (text: string) => csvRecords(text, 1).map((record) => ('cells' in record ? record.cells : record.line));

describe('the CSV parser', () => {
  it.each<[string, unknown[]]>([
    ['', []],
    ['a', [['a']]],
    [
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,\n,b\n,\n',
      [
        ['a', ''],
        ['', 'b'],
        ['', ''],
      ],
    ],
    ['\n\r\na\n\n', [['a']]],
    ['"a,b","c\nd"\n', [['a,b', 'c\nd']]],
    ['"a ""b"""\n', [['a "b"']]],
    ['""\n"",""\n', [['', '']]],
    ['"a"\r\n"b"', [['a'], ['b']]],
    ['a"b\nc\n', [1, ['c']]],
    ['"a"b\nc\n', [1, ['c']]],
    ['a\n"b\nc\n', [['a'], 2, ['c']]],
    ['a,"b\nc,d\n', [1, ['c', 'd']]],
  ])('parses %j as %j', (text, records) => {
    expect(cellsOf(text)).toEqual(records);
  });

  it('gives the line number of each record', () => {
    const text = 'a\r\n\r\n"b\r\nc"\r\nd"e\r\nf\r\n';
    expect(csvRecords(text, 10).map(({ line }) => line)).toEqual([10, 12, 14, 15]);
  });

  it('property: quoted cells are parsed back unchanged, with the line of each record', () => {
    const cell = fc.stringMatching(/^[ab ,"\r\n]{0,6}$/);
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 20 });
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n'), (records, lineEnd) => {
        let line = 1;
        const expected = records.map((cells) => {
          const at = line;
          line += cells.join('').split('\n').length;
          return { line: at, cells };
        });
        const text = records.map((cells) => cells.map(quoted).join(',') + lineEnd).join('');
        expect(csvRecords(text, 1)).toEqual(expected);
      }),
    );
  });
});
