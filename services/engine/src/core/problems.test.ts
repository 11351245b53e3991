import type { RuntimeConfiguration } from '@parley/contract';
import { shortfallsOf } from './problems';

const shared = { transcriber: { provider: 'simulator', model: 'a' }, voice: { provider: 'simulator', model: 'b' } };
const as = (configuration: object): Partial<RuntimeConfiguration> => configuration;

describe('what a call is configured to do and the worker leaves out', () => {
  it.each<[string, object, string[]]>([
    ['nothing for an empty configuration', {}, []],
    [
      'nothing for a profile that inherits',
      { publication: { ...shared, profiles: [{ locale: 'de', ...shared }] } },
      [],
    ],
    [
      'the components of a profile',
      {
        publication: {
          ...shared,
          profiles: [
            { locale: 'de', transcriber: { provider: 'x', model: 'a' }, voice: { provider: 'simulator', model: 'c' } },
          ],
        },
      },
      ['the transcriber of the profile de', 'the voice of the profile de'],
    ],
    [
      'nothing of the profile of another language',
      {
        publication: {
          ...shared,
          profiles: [{ locale: 'fr', transcriber: { provider: 'x', model: 'a' }, voice: shared.voice }],
        },
      },
      [],
    ],
    ['following the caller', { publication: { follow_caller: { enabled: true } } }, ['follow_caller']],
    [
      'a delivery',
      { effective: { voice_polish: { delivery: { chosen: 'calm', voices: [] } } } },
      ['voice_polish.delivery'],
    ],
    [
      'no delivery that was not chosen',
      { effective: { voice_polish: { delivery: { chosen: null, voices: [] } } } },
      [],
    ],
    [
      'an audio environment',
      { effective: { audio_environment: { preset: 'office', volume: 1 } } },
      ['audio_environment'],
    ],
    ['no empty audio environment', { effective: { audio_environment: { preset: 'none', volume: 0 } } }, []],
  ])('names %s', (_, configuration, expected) => {
    const found = shortfallsOf(as(configuration), 'de');
    expect(found).toEqual(
      expected.map((setting) => ({ code: 'setting_not_applied', detail: `this worker does not apply ${setting}` })),
    );
  });
});
