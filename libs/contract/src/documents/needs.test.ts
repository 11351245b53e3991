import type { WorkerCapabilities } from '../objects/capabilities';
import {
  capabilityBlockers,
  declaredCapabilities,
  missingCapabilities,
  needsOnLine,
  neededCapabilities,
  simulatedComponents,
  type RunBy,
} from './needs';

const publication = {
  voice_frontend: 'cascade' as const,
  transcriber: { provider: 'deepgram' },
  model: { provider: 'openai' },
  voice: { provider: 'cartesia' },
};

const needs = (change: Partial<RunBy>): string[] =>
  neededCapabilities({ mode: 'hosted', publication, tools: [], workflow: undefined, ...change });

describe('what a call needs of its worker', () => {
  const profile = (locale: string, transcriber: string, voice: string) => ({
    locale,
    transcriber: { provider: transcriber },
    voice: { provider: voice },
  });
  const languages = {
    ...publication,
    language: 'en',
    profiles: [
      profile('en', 'deepgram', 'cartesia'),
      profile('de', 'deepgram', 'elevenlabs'),
      profile('fr', 'openai', 'cartesia'),
    ],
  };
  const everyLanguage = [
    ...['engine:cascade', 'llm:openai', 'mode:hosted', 'stt:deepgram', 'stt:openai', 'tts:cartesia', 'tts:elevenlabs'],
  ];
  const cascade = ['engine:cascade', 'llm:openai', 'mode:hosted', 'stt:deepgram', 'tts:cartesia'];

  it.each<[string, Partial<RunBy>, string[]]>([
    ['its components in a cascade', {}, cascade],
    [
      'only the engine of a voice-to-voice engine',
      { publication: { ...publication, voice_frontend: 'engine_a_live' } },
      ['engine:engine_a_live', 'mode:hosted'],
    ],
    [
      'no model if the words come from the customer',
      { mode: 'external_text' },
      ['engine:cascade', 'mode:external_text', 'stt:deepgram', 'tts:cartesia'],
    ],
    ['nothing but the mode where the sound does', { mode: 'external_audio' }, ['mode:external_audio']],
    ['nothing of a publication that is not known', { publication: undefined }, ['mode:hosted']],
    [
      'each kind of tool once, built-in ones by name, placeholders not at all',
      {
        tools: [
          { type: 'builtin', name: 'end_call' },
          { type: 'webhook', name: 'a' },
          { type: 'webhook', name: 'b' },
          { type: 'connection' },
          'old',
        ],
      },
      [...cascade, 'tool:connection', 'tool:end_call', 'tool:webhook'],
    ],
    [
      'what a workflow transfers with',
      { workflow: { nodes: [{ id: 't', type: 'transfer', to: '+14155550100' }], edges: [] } },
      [...cascade, 'tool:transfer_call'],
    ],
    ['what the languages run on, where they have components of their own', { publication: languages }, everyLanguage],
    [
      'what the language of a call runs on, in its base language too',
      { publication: languages, language: 'de-AT' },
      ['engine:cascade', 'llm:openai', 'mode:hosted', 'stt:deepgram', 'tts:elevenlabs'],
    ],
    ['what the language of the publication runs on', { publication: languages, language: '' }, cascade],
    [
      'what every language runs on that a followed caller may speak',
      { publication: { ...languages, follow_caller: { enabled: true } }, language: '' },
      everyLanguage,
    ],
  ])('%s', (_, change, expected) => {
    expect(needs(change)).toEqual(expected.toSorted());
  });
});

it.each<[string, string[], string[][], string[]]>([
  ['nothing of no needs', [], [], []],
  ['all where nothing is declared', ['a', 'b'], [], ['a', 'b']],
  ['nothing where one covers all', ['a', 'b'], [['c'], ['b', 'a', 'c']], []],
  ['what the nearest lacks, not what all of them lack', ['a', 'b', 'c'], [['a'], ['b', 'c']], ['a']],
])('what is missing: %s', (_, wanted, declared, missing) => {
  expect(missingCapabilities(wanted, declared)).toEqual(missing);
});

it('a declaration is the same list in whatever order it comes', () => {
  const declared: WorkerCapabilities = {
    carriers: ['twilio', 'simulator'],
    modes: ['hosted'],
    engines: ['cascade'],
    providers: { stt: ['a'], llm: ['b'], tts: ['c'] },
    tools: [],
  };
  const other = { ...declared, carriers: ['simulator', 'twilio'] };
  expect(declaredCapabilities(declared)).toEqual(declaredCapabilities(other));
  expect(declaredCapabilities(declared)).toContain('carrier:twilio');
});

it.each([
  ['carrier:twilio', 'carrier_unavailable', 'carrier'],
  ['mode:external_text', 'mode_unavailable', 'mode'],
  ['engine:engine_b_live', 'engine_unavailable', 'engine'],
  ['stt:deepgram', 'provider_unavailable', 'provider:stt'],
  ['llm:openai', 'provider_unavailable', 'provider:llm'],
  ['tts:azure', 'provider_unavailable', 'provider:tts'],
  ['tool:webhook', 'tool_unavailable', 'tools'],
])('the blocker of %s is %s at %s, and names it', (need, code, scope) => {
  const [blocker] = capabilityBlockers([need]);
  expect(blocker).toMatchObject({ code, scope });
  expect(blocker?.detail).toContain(need.split(':')[1]);
});

it.each([
  ['simulator', ['stt:simulator', 'llm:simulator', 'tts:simulator', 'carrier:simulator']],
  ['sip_trunk', ['stt:simulator', 'llm:simulator', 'tts:simulator', 'carrier:sip_trunk']],
  ['browser', ['stt:offline', 'llm:simulator', 'tts:offline', 'carrier:browser']],
  ['twilio', ['stt:offline', 'llm:simulator', 'tts:offline', 'carrier:twilio']],
])('on a line of %s simulated components are %j', (carrier, expected) => {
  const needed = needsOnLine(['stt:simulator', 'llm:simulator', 'tts:simulator'], carrier);
  expect(needed).toEqual(expected);
  expect(simulatedComponents(needed)).toEqual(['stt', 'llm', 'tts']);
});

it('on a line with sound other components are as they are', () => {
  const components = ['stt:deepgram', 'tts:cartesia', 'mode:hosted'];
  expect(needsOnLine(components, 'browser')).toEqual([...components, 'carrier:browser']);
});

it('which components are simulated follows from the needs', () => {
  expect(simulatedComponents(['tts:simulator', 'stt:deepgram', 'carrier:simulator'])).toEqual(['tts']);
});
