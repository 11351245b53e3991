import { Catalogues } from '../catalogue';
import type { DeliveryProfile } from '@parley/compilation';
import { previewVoice } from './preview.rules';

const catalogue = new Catalogues({ environment: 'development', platformManaged: [] }).current;
const simulator = (model: string) => ({ provider: 'simulator', model });
const request = { voice: null, language: '', delivery: '' } as const;

describe('previewVoice', () => {
  it('uses an unlisted model only with a named credential, not with an account of the platform', () => {
    const voice = { provider: 'openai', model: 'next-tts', voice_id: 'alloy' };
    expect(() => previewVoice(catalogue, { ...request, voice })).toThrow('component_credential_id');
    expect(previewVoice(catalogue, { ...request, voice, credentialId: 'cred_1' })).toMatchObject({ model: 'next-tts' });
  });

  it('uses the default voice if none is given, and a string as its voice_id', () => {
    const usual = { provider: 'simulator', model: 'sim-speak-40', delivery: undefined, options: {} };
    expect(previewVoice(catalogue, request)).toEqual({ ...usual, voiceId: 'sim-anna' });
    expect(previewVoice(catalogue, { ...request, voice: 'sim-otto' })).toEqual({ ...usual, voiceId: 'sim-otto' });
  });

  it.each<DeliveryProfile>(['natural', 'lively', 'calm', 'precise'])(
    'maps delivery %s as calls do (docs/reference/tuning.md), or ignores it if the voice has no control',
    (delivery) => {
      const mapped = (model: string) =>
        previewVoice(catalogue, { ...request, voice: simulator(model), delivery }).delivery;
      expect(mapped('sim-speak-40')).toEqual({ natural: 1, lively: 1.1, calm: 0.9, precise: 0.95 }[delivery]);
      expect(mapped('sim-speak-european')).toMatchObject({
        stability: { natural: 0.5, lively: 0.3, calm: 0.75, precise: 0.85 }[delivery],
      });
      expect(mapped('sim-speak-en')).toBeUndefined();
    },
  );

  it.each([
    ['voice', { voice: { provider: 'unknown', model: 'x' } }],
    ['voice', { voice: simulator('nothing') }],
    ['voice.voice_id', { voice: { provider: 'elevenlabs', model: 'eleven_flash_v2_5' } }],
    ['language', { voice: simulator('sim-speak-en'), language: 'de' }],
  ])('400 names %s', (field, change) => {
    expect(() => previewVoice(catalogue, { ...request, ...change })).toThrow(
      new RegExp(`^${field.replace('.', '\\.')} `),
    );
  });
});
