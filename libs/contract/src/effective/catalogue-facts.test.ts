import { catalogueFacts } from './catalogue-facts';

it('catalogueFacts knows of an unlisted model what its provider states for unlisted ones', () => {
  const models = [{ model: 'listed', fast_words: true }];
  const facts = catalogueFacts({
    conversation_engines: {},
    transcribers: [
      { provider: 'open', unlisted: { fast_words: true }, models },
      { provider: 'closed', models },
    ],
    voices: [],
  });
  const fast = (provider: string, model: string) => facts.wordsArriveFast({ provider, model });
  expect([fast('open', 'other'), fast('closed', 'listed'), fast('closed', 'other')]).toEqual([true, true, false]);
});
