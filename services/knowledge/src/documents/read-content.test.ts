import { readContent, textOf } from './read-content';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

describe('the text of a document', () => {
  it.each<[string, Buffer, string | undefined]>([
    ['UTF-8', Buffer.from('Müller'), undefined],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFMüller'), undefined],
    ['a byte order mark that contradicts the declaration', Buffer.from('\uFEFFMüller'), 'latin1'],
    ['UTF-16', utf16('Müller'), undefined],
    ['UTF-16, big end first', utf16('Müller').swap16(), undefined],
    ['a declared encoding', latin1('Müller'), 'iso-8859-1'],
    ['Windows-1252 without a declaration', latin1('Müller'), undefined],
    ['a declared encoding that does not exist, in UTF-8', Buffer.from('Müller'), 'none'],
    ['a wrong declaration, in UTF-8', Buffer.from('Müller'), 'utf-16be'],
  ])('is read from %s', (_what, content, declared) => {
    expect(textOf(content, declared)).toBe('Müller');
  });

  it.each<[string, Buffer, string | undefined]>([
    ['text with a control character', latin1('Müller\u0000'), undefined],
    ['text with a byte that Windows-1252 lacks', latin1('Müller\u0081'), undefined],
    ['text in Shift JIS', Buffer.from('82b182f182c982bf82cd', 'hex'), undefined],
    ['text of one quarter of other bytes', latin1('über'), undefined],
    ['UTF-8 with a mark and a bad byte', Buffer.concat([Buffer.from('\uFEFF'), latin1('Müller')]), undefined],
    ['bytes that are neither what is declared nor UTF-8', Buffer.from([0x81, 0x20, 0xff]), 'shift_jis'],
  ])('is refused: %s', (_what, content, declared) => {
    expect(() => textOf(content, declared)).toThrow(expect.objectContaining({ code: 'not_readable' }) as Error);
  });

  it.each([
    ['the poli-\ncy of Quixo-\r\n  tic', 'the policy of Quixotic'],
    ['soft\u00ad\nly and in\u00adside', 'softly and inside'],
    ['Baden-\nWürttemberg, 2020-\n2021, well - \nthen', 'Baden- Württemberg, 2020- 2021, well - then'],
  ])('joins words that a line end divides: %j', async (text, joined) => {
    const { chunks } = await readContent('text/plain', Buffer.from(text));
    expect(chunks.map((chunk) => chunk.replaceAll(/\s+/g, ' '))).toEqual([joined]);
  });
});
