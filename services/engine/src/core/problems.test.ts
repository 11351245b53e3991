import type { RuntimeConfiguration } from '@parley/contract';
import { shortfallsOf } from './problems';

const follows = { follow_caller: { enabled: true } };
const as = (configuration: object): Partial<RuntimeConfiguration> => configuration;

describe('what a call is configured to do and the worker leaves out', () => {
  it.each<[string, object, string[]]>([
    ['nothing for an empty configuration', {}, []],
    [
      'following the caller, without a transcriber that distinguishes languages',
      { publication: follows },
      ['follow_caller'],
    ],
    ['nothing where no caller is followed', { publication: { follow_caller: { enabled: false } } }, []],
    [
      'an audio environment, on a line without sound',
      { effective: { audio_environment: { preset: 'office', volume: 1 } } },
      ['audio_environment'],
    ],
    ['no empty audio environment', { effective: { audio_environment: { preset: 'none', volume: 0 } } }, []],
  ])('names %s', (_, configuration, expected) => {
    const found = shortfallsOf(as(configuration), false);
    expect(found).toEqual(
      expected.map((setting) => ({ code: 'setting_not_applied', detail: `this worker does not apply ${setting}` })),
    );
  });

  it('names no audio environment on a line with sound', () => {
    const office = as({ effective: { audio_environment: { preset: 'office', volume: 1 } } });
    expect(shortfallsOf(office, false, true)).toEqual([]);
  });

  it('names no following if the transcriber distinguishes languages', () => {
    expect(shortfallsOf(as({ publication: follows }), true)).toEqual([]);
  });
});
