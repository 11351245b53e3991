import { Continuation, continued } from './continuation';

const said = 'Your order left on Monday. It will arri';

const restOf = (pieces: readonly string[], before = said): string => {
  const continuation = new Continuation(before);
  return pieces.map((piece) => continuation.read(piece)).join('') + continuation.end();
};

describe('a reply that a fallback model continues: the remaining text', () => {
  it.each([
    ['if it continues after the last word', ['ve', ' on Friday.'], ' ve on Friday.'],
    ['if it repeats everything', ['Your order left', ' on Monday. It will arri', 've on Friday.'], 've on Friday.'],
    ['if it repeats the incomplete sentence', ['It will', ' arrive on Friday.'], 've on Friday.'],
    ['if it repeats the incomplete word', ['arrive on Friday.'], 've on Friday.'],
    ['if it adds nothing', [], ''],
    ['if it repeats everything and adds nothing', [said], ''],
    ['if it begins like the incomplete sentence, but differs', ['It will', ' rain.'], ' It will rain.'],
  ])('%s', (_, pieces, rest) => expect(restOf(pieces)).toBe(rest));

  it.each(['Hello there. ', 'Hello there.'])('does not repeat a sentence after %j', (before) => {
    expect(`${before}${restOf(['Hello there. How are', ' you?'], before)}`).toBe('Hello there. How are you?');
  });

  it('is requested with the text that was said', () => {
    const messages = continued([{ role: 'user', text: 'Where is it?' }], said);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]).toEqual({ role: 'assistant', text: said });
  });
});
