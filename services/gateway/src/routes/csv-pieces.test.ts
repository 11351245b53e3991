import fc from 'fast-check';
import { csvPieces, type CsvPiece } from './csv-pieces';

async function* chunksOf(text: Buffer, size: number): AsyncIterable<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

async function piecesOf(text: string, size: number): Promise<CsvPiece[]> {
  const pieces: CsvPiece[] = [];
  for await (const piece of csvPieces(chunksOf(Buffer.from(text), size))) pieces.push(piece);
  return pieces;
}

const joined = (pieces: readonly CsvPiece[]): string => Buffer.concat(pieces.map(({ rows }) => rows)).toString();

describe('splitting of a CSV upload into pieces', () => {
  it('makes one piece of a small or empty upload', async () => {
    expect(await piecesOf('to\n+1\n', 3)).toMatchObject([{ piece: 1, firstLine: 1, last: true }]);
    expect(await piecesOf('', 3)).toMatchObject([{ piece: 1, last: true, rows: Buffer.alloc(0) }]);
  });

  it('cuts a large upload at ends of records, never within quotes, and continues the line numbers', async () => {
    const row = (n: number): string => `+1415${n},"a ""quoted"" name\nover two lines"\n`;
    const text = `to,name\n${Array.from({ length: 20_000 }, (_, n) => row(100_000 + n)).join('')}`;
    const pieces = await piecesOf(text, 16_384);
    expect(joined(pieces)).toBe(text);
    expect(pieces.length).toBeGreaterThan(5);
    let line = 1;
    pieces.forEach(({ rows, piece, firstLine, last }, place) => {
      expect([piece, firstLine, last]).toEqual([place + 1, line, place === pieces.length - 1]);
      expect(rows.length).toBeLessThan(300 * 1024);
      if (place > 0 && rows.length > 0) expect(rows.toString().startsWith('+1415')).toBe(true);
      line += rows.toString().split('\n').length - 1;
    });
  });

  it('cuts pieces of limited size even if a quote is never closed', async () => {
    const text = `to\n"${'+14155550100\n'.repeat(100_000)}`;
    const pieces = await piecesOf(text, 65_536);
    expect(joined(pieces)).toBe(text);
    for (const { rows } of pieces) expect(rows.length).toBeLessThan(400 * 1024);
  });

  it('cuts the same bytes at the same places for any size of network chunks', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => `+1415${n},"a ""quoted"" name\nover two lines"\n`).join('');
    for (const text of [`to,name\n${rows}`, `to\n"${'+14155550100\n'.repeat(60_000)}`, `to\n"${'x'.repeat(700_000)}`]) {
      const cuts = await Promise.all([777, 65_536, 200_000, 3_000_000].map((size) => piecesOf(text, size)));
      const digests = cuts.map((pieces) => pieces.map(({ digest }) => digest.toString('hex')));
      expect(digests[0]?.length).toBeGreaterThan(2);
      for (const other of digests) expect(other).toEqual(digests[0]);
    }
  });

  it.each([
    [',', 'to,name'],
    [';', '\r\n"to;";name,;\r'],
    ['\t', 'to\t"a,b,c;d;e"\tname\n'],
    ['|', 'to|name\r\n'],
    [',', 'to\r\n;;;'],
    [',', ''],
  ])('takes %j as delimiter of %j', async (delimiter, text) => {
    expect(await piecesOf(text, 2)).toMatchObject([{ delimiter, piece: 1, firstLine: 1 }]);
  });

  it('cuts lines that end with CR or CRLF at ends of records, and counts each once', async () => {
    for (const lineEnd of ['\r', '\r\n']) {
      const rows = Array.from({ length: 20_000 }, (_, n) => `+1415${n};"a${lineEnd}b; c"${lineEnd}`).join('');
      const pieces = await piecesOf(`to;name${lineEnd}${rows}`, 16_384);
      expect(pieces.length).toBeGreaterThan(2);
      for (const { rows: cut, firstLine, piece } of pieces.slice(1)) {
        expect(cut.toString().startsWith('+1415')).toBe(true);
        const before = pieces.slice(0, piece - 1).map((each) => each.rows.toString());
        expect(firstLine).toBe(before.join('').split(lineEnd).length);
      }
    }
  });

  it('property: the joined pieces equal the upload, for any content and chunk size', async () => {
    const rows = fc.array(fc.stringMatching(/^[a-z",;\n\r]{0,40}$/), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 5_000 }), async (parts, size) => {
        const text = parts.join('\n').repeat(20);
        const pieces = await piecesOf(text, size);
        expect(joined(pieces)).toBe(text);
        expect(pieces.map(({ last }) => last)).toEqual(pieces.map((_, place) => place === pieces.length - 1));
      }),
      { numRuns: 30 },
    );
  });
});
