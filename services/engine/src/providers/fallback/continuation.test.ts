import { Continuation, continued } from './continuation';

const said = 'Your order left on Monday. It will arri';

const restOf = (pieces: readonly string[], before = said): string => {
  const continuation = new Continuation(before);
  return pieces.map((piece) => continuation.read(piece)).join('') + continuation.end();
};

describe('a reply that another model continues', () => {
  it.each([
    ['goes on', ['ve', ' on Friday.'], ' ve on Friday.'],
    ['begins again with everything', ['Your order left', ' on Monday. It will arri', 've on Friday.'], 've on Friday.'],
    ['begins again with the sentence that was cut', ['It will', ' arrive on Friday.'], 've on Friday.'],
    ['begins again with the last word', ['arrive on Friday.'], 've on Friday.'],
    ['says nothing more', [], ''],
    ['repeats everything and says nothing more', [said], ''],
    ['begins like something that was said and goes another way', ['It will', ' rain.'], ' It will rain.'],
  ])('%s', (_, pieces, rest) => expect(restOf(pieces)).toBe(rest));

  it.each(['Hello there. ', 'Hello there.'])('repeats no sentence after %j', (before) => {
    expect(`${before}${restOf(['Hello there. How are', ' you?'], before)}`).toBe('Hello there. How are you?');
  });

  it('is asked for with what was said', () => {
    const messages = continued([{ role: 'user', text: 'Where is it?' }], said);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]).toEqual({ role: 'assistant', text: said });
  });
});
