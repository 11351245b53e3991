import { getCountries } from 'libphonenumber-js/max';
import { optChangeOf, outWords, soleWordOf } from './opt-out.rules';

/** Languages of territories whose networks use the words of another language: English or French. */
const withoutOwnWords = new Set(['ak', 'bi', 'bm', 'dz', 'gn', 'pau', 'sg', 'sm', 'sn', 'tkl', 'to', 'tpi', 'tvl']);

describe('opt-out words', () => {
  it.each([
    ...['STOP', 'stop', ' Stop. ', '"STOP"', 'stop all', 'STOPALL', 'S T O P', 'Unsubscribe', 'cancel', 'END', 'Quit!'],
    'opt-out',
  ])('%j is an opt-out', (body) => expect(optChangeOf(body)).toBe('out'));

  it.each([
    'стоп',
    'arrêt',
    'Arre\u0302t',
    'arret',
    'BAJA',
    'abmelden',
    '停止',
    'הסר',
    'Afmeld',
    'iptal',
    'İptal',
    'HỦY',
    'रोकें',
  ])('%j is an opt-out in another language', (body) => expect(optChangeOf(body)).toBe('out'));

  it.each([
    ['an emoji', decodeURIComponent('STOP%20%F0%9F%9B%91')],
    ['a character that cannot be seen', decodeURIComponent('stop%E2%80%8B')],
    ['full width', decodeURIComponent('%EF%BC%B3%EF%BC%B4%EF%BC%AF%EF%BC%B0')],
    ['a byte order mark and a variation selector', '\uFEFFSTOP\u2764\uFE0F'],
    ['letters of mathematics', '𝐒𝐓𝐎𝐏'],
    ['an emoji of several parts, and a flag', 'stop 👩‍👧 🇩🇪'],
    ['marks of direction', '\u202Estop\u202C'],
    ['a filler of Hangul', 'STOP\u3164'],
    ['marks on every letter', 's\u0336t\u0336o\u0336p\u0336'],
    ['a symbol', '$ STOP +'],
    ['a signature', 'STOP\n\nSent from my iPhone'],
    ['a signature after CRLF', 'Stop\r\n--\r\nAnn Smith, Acme Ltd., +1 415 555 0100'],
    ['an empty first line', '\n \u200B\nSTOP'],
  ])('is an opt-out with %s', (_what, body) => expect(optChangeOf(body)).toBe('out'));

  it('has words of the language of every country that can be called', () => {
    const languages = getCountries().map((country) => new Intl.Locale(`und-${country}`).maximize().language);
    const without = [...new Set(languages)].filter((language) => outWords[language] === undefined);
    expect(without.sort()).toEqual([...withoutOwnWords].sort());
  });

  it.each(Object.entries(outWords))(
    'obeys the words of %s as they are written, and in lower case',
    (_language, words) => {
      for (const word of words)
        expect([word, optChangeOf(word), optChangeOf(word.toLowerCase())]).toEqual([word, 'out', 'out']);
    },
  );

  it.each(['START', 'unstop', 'Yes', 'démarrer', 'DEMARRER', 'YES 👍', 'start\nSent from my phone'])(
    '%j is an opt-in',
    (body) => expect(optChangeOf(body)).toBe('in'),
  );

  it.each([
    // Names, places and words of another language that are a word for stopping in one.
    ...['Peru', 'Mira', 'Ema', 'seis', 'acha'],
    ...['', '?', 'please stop calling', 'the bus stop', 'end of story', 'STOPS', 'yesterday', '🛑', '\u200B'],
    'I cannot come\nSTOP',
    `${'x'.repeat(200)}\nSTOP`,
    `${'- '.repeat(200)}STOP`,
  ])('%j is neither opt-out nor opt-in', (body) => expect(optChangeOf(body)).toBeUndefined());

  it('a keyword has at most 40 letters', () => {
    expect([soleWordOf('x'.repeat(40)), soleWordOf('x'.repeat(41))]).toEqual(['X'.repeat(40), '']);
  });
});
