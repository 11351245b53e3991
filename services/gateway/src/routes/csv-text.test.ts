import fc from 'fast-check';
import { utf8Of } from './csv-text';

async function read(bytes: Buffer, size: number): Promise<string> {
  const parts: Buffer[] = [];
  async function* chunks(): AsyncIterable<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  for await (const part of utf8Of(chunks())) parts.push(part);
  return Buffer.concat(parts).toString();
}

const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('the encoding of an uploaded file', () => {
  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), ''],
    ['ASCII', Buffer.from('to\n+1'), 'to\n+1'],
    ['one letter', Buffer.from('a'), 'a'],
    ['one letter of Windows-1252', Buffer.from([0xe9]), 'é'],
    ['UTF-8', Buffer.from('to,näme\n€ 😀'), 'to,näme\n€ 😀'],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFto;name\nMüller'), 'to;name\nMüller'],
    ['UTF-16, little end first', Buffer.from('\uFEFFto\tMüller 😀\r\n', 'utf16le'), 'to\tMüller 😀\r\n'],
    ['UTF-16, big end first', swapped('\uFEFFto\tMüller 😀\r\n'), 'to\tMüller 😀\r\n'],
    ['UTF-16 without a mark', Buffer.from('to\tMüller', 'utf16le'), 'to\tMüller'],
    ['UTF-16 without a mark, big end first', swapped('to\tMüller'), 'to\tMüller'],
    ['Windows-1252', Buffer.from('to;name\n+1;Müller \x80\n+2;\xc9t\xe9', 'latin1'), 'to;name\n+1;Müller €\n+2;Été'],
    [
      'UTF-8 with a bad byte',
      Buffer.from(
        'ä\xff\n'
          .split('')
          .map((c) => c.charCodeAt(0))
          .flatMap((c) => (c === 0xe4 ? [0xc3, 0xa4] : [c])),
      ),
      'ä\uFFFD\n',
    ],
    ['UTF-8 cut in a character', Buffer.from('ä€').subarray(0, 4), 'ä\uFFFD'],
  ])('%s is read, in chunks of any size', async (_what, bytes, text) => {
    for (const size of [1, 2, 3, 5, 100]) expect(await read(bytes, size)).toBe(text);
  });

  it('property: any text in UTF-8 and in UTF-16 is read back unchanged', async () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => !/[\0\uFEFF]/.test(text));
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, size) => {
        expect(await read(Buffer.from(text), size)).toBe(text);
        if (text.length > 1) expect(await read(Buffer.from(`\uFEFF${text}`, 'utf16le'), size)).toBe(text);
      }),
    );
  });
});
