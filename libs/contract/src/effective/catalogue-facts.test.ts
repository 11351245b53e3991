import { catalogueFacts } from './catalogue-facts';

it('catalogueFacts treats any model of an any_model provider like its listed one, and unknown models of other providers as unknown', () => {
  const models = [{ model: 'listed', fast_words: true }];
  const facts = catalogueFacts({
    conversation_engines: {},
    transcribers: [
      { provider: 'open', any_model: true, models },
      { provider: 'closed', models },
    ],
    voices: [],
  });
  const fast = (provider: string, model: string) => facts.wordsArriveFast({ provider, model });
  expect([fast('open', 'other'), fast('closed', 'listed'), fast('closed', 'other')]).toEqual([true, true, false]);
});
