import { neededAccounts } from './needed-accounts';

const simulator = { provider: 'simulator', model: 'm' };

it.each([
  [
    'simulated components need no provider account',
    { transcriber: simulator, model: simulator, voice: simulator, profiles: [] },
    [],
  ],
  [
    'each kind of component needs an account of its provider',
    {
      transcriber: { provider: 'a', model: 'm' },
      model: { provider: 'b', model: 'm' },
      voice: simulator,
      profiles: [],
    },
    ['stt a', 'llm b'],
  ],
  [
    'components of languages and fallbacks need accounts too, each listed once',
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
