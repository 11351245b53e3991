import { neededAccounts } from './needed-accounts';

const simulator = { provider: 'simulator', model: 'm' };

it.each([
  ['simulated components need none', { transcriber: simulator, model: simulator, voice: simulator, profiles: [] }, []],
  [
    'each kind has its own',
    {
      transcriber: { provider: 'a', model: 'm' },
      model: { provider: 'b', model: 'm' },
      voice: simulator,
      profiles: [],
    },
    ['stt a', 'llm b'],
  ],
  [
    'the components of a language and fallbacks count, once each',
    {
      transcriber: simulator,
      model: {
        provider: 'b',
        model: 'm',
        fallbacks: [{ provider: 'c', model: 'm' }, simulator, { provider: 'b', model: 'n' }],
      },
      voice: { provider: 'd', model: 'm' },
      profiles: [
        { locale: 'de', voice: { provider: 'e', model: 'm' } },
        { locale: 'fr', voice: null },
      ],
    },
    ['llm b', 'llm c', 'tts d', 'tts e'],
  ],
])('%s', (_, publication, expected) => {
  expect(neededAccounts(publication).map(({ kind, provider }) => `${kind} ${provider}`)).toEqual(expected);
});
