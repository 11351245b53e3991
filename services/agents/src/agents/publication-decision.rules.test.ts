import type { AgentDocument } from './agent-document.rules';
import { changesLanguages, publishes } from './publication-decision.rules';

const before: AgentDocument = {
  mode: 'hosted',
  voice_frontend: 'cascade',
  languages: ['en'],
  language_profiles: [],
  tools: [],
  recording_enabled: false,
  component_credential_bindings: {},
  metadata: {},
};

describe('which changes publish a new version (docs/reference/voice-stack.md)', () => {
  const decide = (change: Partial<AgentDocument>, publishedVersion = 1, carriesLanguages = false) =>
    publishes({ before, after: { ...before, ...change }, publishedVersion, carriesLanguages, savesVoiceStack: true });

  it.each<[string, Partial<AgentDocument>, boolean]>([
    ['nothing', {}, false],
    ['languages', { languages: ['en', 'de'] }, true],
    ['the order of languages', { languages: ['de', 'en'] }, true],
    ['profiles', { language_profiles: [{ locale: 'en', greeting: 'Hi' }] }, true],
    ['follow_caller', { follow_caller: { enabled: false } }, true],
    ['the primary language', { language: 'de' }, true],
    ['the prompt', { system_prompt: 'x' }, true],
    ['the first message', { first_message: 'x' }, true],
    ['the transcriber', { transcriber: { provider: 'a', model: 'b' } }, true],
    ['the model', { model: { provider: 'a', model: 'b' } }, true],
    ['the voice', { voice: 'x' }, true],
    ['the engine', { voice_frontend: 'engine_a_live' }, true],
    ['variables', { variables: { variables: [] } }, true],
    ['credentials', { component_credential_bindings: { stt: 'cred_1' } }, true],
    ['opening', { opening: { first_speaker: 'agent' } }, false],
    ['turn_taking', { turn_taking: { max_call_seconds: 60 } }, false],
    ['voice_polish', { voice_polish: { delivery: 'calm' } }, false],
    ['answer_detection', { answer_detection: { voicemail: 'off' } }, false],
    ['navigation', { navigation: { enabled: false } }, false],
    ['audio_environment', { audio_environment: { preset: 'office' } }, false],
    ['tools', { tools: ['a'] }, false],
    ['name and metadata', { name: 'x', metadata: { a: 1 } }, false],
  ])('a change of %s after the first publication: %s', (_title, change, expected) => {
    expect(decide(change)).toBe(expected);
  });

  it.each([
    [0, true, true],
    [0, false, false],
    [1, false, true],
  ])(
    'a changed prompt at published version %i, saved by the voice-stack route: %s, publishes: %s',
    (version, saves, expected) => {
      const after = { ...before, system_prompt: 'x' };
      const save = { before, after, publishedVersion: version, carriesLanguages: false, savesVoiceStack: saves };
      expect(publishes(save)).toBe(expected);
    },
  );

  it('an agent without languages is not published', () => {
    const unselected = { ...before, languages: undefined };
    expect(
      publishes({
        before: unselected,
        after: { ...unselected, system_prompt: 'x' },
        publishedVersion: 0,
        carriesLanguages: false,
      }),
    ).toBe(false);
  });

  it.each([
    [0, true, true],
    [0, false, false],
    [1, true, false],
  ])(
    'a voice-stack save at published version %i that sends unchanged languages: %s publishes: %s',
    (version, carries, expected) => {
      expect(decide({}, version, carries)).toBe(expected);
    },
  );

  it.each([
    [0, true],
    [1, true],
  ])(
    'replacing the variables of an agent without languages at published version %i publishes: %s',
    (publishedVersion, expected) => {
      const unselected = { ...before, languages: undefined };
      const save = { before: unselected, after: unselected, publishedVersion, carriesLanguages: false };
      expect(publishes({ ...save, alwaysPublishes: true })).toBe(expected);
    },
  );

  it.each([
    [0, false],
    [1, true],
  ])(
    'a changed prompt of an agent without languages at published version %i publishes: %s',
    (publishedVersion, expected) => {
      const unselected = { ...before, languages: undefined };
      const after = { ...unselected, system_prompt: 'x' };
      expect(publishes({ before: unselected, after, publishedVersion, carriesLanguages: false })).toBe(expected);
    },
  );

  it('only language fields change the language profile revision', () => {
    expect(changesLanguages(before, { ...before, system_prompt: 'x' })).toBe(false);
    expect(changesLanguages(before, { ...before, languages: ['de'] })).toBe(true);
  });
});
