import fc from 'fast-check';
import { csvRecords } from './csv-records.rules';

const cellsOf = (text: string, delimiter?: string) =>
  csvRecords(text, 1, delimiter).map((record) => ('cells' in record ? record.cells : record.line));

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

  it.each<[string, string, unknown[]]>([
    [
      '\r',
      ',',
      [
        ['to', 'name'],
        ['+15005550006', 'Ann'],
        ['+15005550007', 'Bob'],
      ],
    ],
    [
      '\r\n',
      ';',
      [
        ['to', 'name'],
        ['+15005550006', 'Ann'],
        ['+15005550007', 'Bob'],
      ],
    ],
    [
      '\n',
      '\t',
      [
        ['to', 'name'],
        ['+15005550006', 'Ann'],
        ['+15005550007', 'Bob'],
      ],
    ],
  ])('parses lines that end with %j and cells divided by %j', (lineEnd, delimiter, records) => {
    const text = ['to,name', '+15005550006,Ann', '+15005550007,Bob', ''].join(lineEnd).replaceAll(',', delimiter);
    expect(cellsOf(text, delimiter)).toEqual(records);
  });

  it('keeps other delimiters in cells', () => {
    expect(cellsOf('+15005550006;"Müller; Söhne";a,b\r\n', ';')).toEqual([['+15005550006', 'Müller; Söhne', 'a,b']]);
  });

  it.each(['\r\n', '\n', '\r'])('gives the line number of each record, with lines that end with %j', (lineEnd) => {
    const text = ['a', '', '"b', 'c"', 'd"e', 'f', ''].join(lineEnd);
    expect(csvRecords(text, 10).map(({ line }) => line)).toEqual([10, 12, 14, 15]);
  });

  it('property: quoted cells are parsed back unchanged, with the line of each record', () => {
    const cell = fc.stringMatching(/^[ab ,"\r\n]{0,6}$/);
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 20 });
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n', '\r'), (records, lineEnd) => {
        let line = 1;
        const expected = records.map((cells) => {
          const at = line;
          line += cells.join(' ').split(/\r\n|\n|\r/).length;
          return { line: at, cells };
        });
        const text = records.map((cells) => cells.map(quoted).join(',') + lineEnd).join('');
        expect(csvRecords(text, 1)).toEqual(expected);
      }),
    );
  });
});
