import type { RuntimeConfiguration } from '@parley/contract';
import { shortfallsOf } from './problems';

const follows = { follow_caller: { enabled: true } };
const as = (configuration: object): Partial<RuntimeConfiguration> => configuration;

describe('settings of a call that the worker does not apply', () => {
  it.each<[string, object, string[]]>([
    ['none for an empty configuration', {}, []],
    ['follow_caller, if the transcriber does not detect languages', { publication: follows }, ['follow_caller']],
    ['none if follow_caller is disabled', { publication: { follow_caller: { enabled: false } } }, []],
    [
      'audio_environment, on a line without audio',
      { effective: { audio_environment: { preset: 'office', volume: 1 } } },
      ['audio_environment'],
    ],
    [
      'not audio_environment, if the preset is none',
      { effective: { audio_environment: { preset: 'none', volume: 0 } } },
      [],
    ],
  ])('are %s', (_, configuration, expected) => {
    const found = shortfallsOf(as(configuration), false);
    expect(found).toEqual(
      expected.map((setting) => ({ code: 'setting_not_applied', detail: `this worker does not apply ${setting}` })),
    );
  });

  it('do not include audio_environment on a line with audio', () => {
    const office = as({ effective: { audio_environment: { preset: 'office', volume: 1 } } });
    expect(shortfallsOf(office, false, true)).toEqual([]);
  });

  it('do not include follow_caller if the transcriber detects languages', () => {
    expect(shortfallsOf(as({ publication: follows }), true)).toEqual([]);
  });
});
