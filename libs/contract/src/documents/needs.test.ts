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

describe('capabilities that a call requires of its worker', () => {
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
    ['the providers of its components, for the engine cascade', {}, cascade],
    [
      'only the engine, for a voice-to-voice engine',
      { publication: { ...publication, voice_frontend: 'engine_a_live' } },
      ['engine:engine_a_live', 'mode:hosted'],
    ],
    [
      'no model, if the customer supplies the replies as text',
      { mode: 'external_text' },
      ['engine:cascade', 'mode:external_text', 'stt:deepgram', 'tts:cartesia'],
    ],
    ['only the mode, if the customer supplies the audio', { mode: 'external_audio' }, ['mode:external_audio']],
    ['only the mode, if the publication is unknown', { publication: undefined }, ['mode:hosted']],
    [
      'each kind of tool once, built-in tools by name, no placeholders',
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
      'transfer_call, if the workflow has a transfer node',
      { workflow: { nodes: [{ id: 't', type: 'transfer', to: '+14155550100' }], edges: [] } },
      [...cascade, 'tool:transfer_call'],
    ],
    ['the providers of all languages that have their own components', { publication: languages }, everyLanguage],
    [
      'only the providers of the language of the call, also found by its base language',
      { publication: languages, language: 'de-AT' },
      ['engine:cascade', 'llm:openai', 'mode:hosted', 'stt:deepgram', 'tts:elevenlabs'],
    ],
    [
      'only the providers of the language of the publication, if the call has none',
      { publication: languages, language: '' },
      cascade,
    ],
    [
      'the providers of all languages, if the agent follows the language of the caller',
      { publication: { ...languages, follow_caller: { enabled: true } }, language: '' },
      everyLanguage,
    ],
  ])('%s', (_, change, expected) => {
    expect(needs(change)).toEqual(expected.toSorted());
  });
});

it.each<[string, string[], string[][], string[]]>([
  ['none are required, none are missing', [], [], []],
  ['no worker has declared any: all are missing', ['a', 'b'], [], ['a', 'b']],
  ['one worker has all: none are missing', ['a', 'b'], [['c'], ['b', 'a', 'c']], []],
  ['the worker with the fewest missing ones counts', ['a', 'b', 'c'], [['a'], ['b', 'c']], ['a']],
])('missingCapabilities: %s', (_, wanted, declared, missing) => {
  expect(missingCapabilities(wanted, declared)).toEqual(missing);
});

it('declaredCapabilities returns the same list for any order of the declaration', () => {
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
])('a missing capability %s is reported as blocker %s with scope %s, and named in its detail', (need, code, scope) => {
  const [blocker] = capabilityBlockers([need]);
  expect(blocker).toMatchObject({ code, scope });
  expect(blocker?.detail).toContain(need.split(':')[1]);
});

it.each([
  ['simulator', ['stt:simulator', 'llm:simulator', 'tts:simulator', 'carrier:simulator']],
  ['sip_trunk', ['stt:simulator', 'llm:simulator', 'tts:simulator', 'carrier:sip_trunk']],
  ['browser', ['stt:offline', 'llm:simulator', 'tts:offline', 'carrier:browser']],
  ['twilio', ['stt:offline', 'llm:simulator', 'tts:offline', 'carrier:twilio']],
])('on a line of carrier %s, simulated components require %j', (carrier, expected) => {
  const needed = needsOnLine(['stt:simulator', 'llm:simulator', 'tts:simulator'], carrier);
  expect(needed).toEqual(expected);
  expect(simulatedComponents(needed)).toEqual(['stt', 'llm', 'tts']);
});

it('on a line with audio, the requirements of other components do not change', () => {
  const components = ['stt:deepgram', 'tts:cartesia', 'mode:hosted'];
  expect(needsOnLine(components, 'browser')).toEqual([...components, 'carrier:browser']);
});

it('simulatedComponents returns the kinds that require a simulator', () => {
  expect(simulatedComponents(['tts:simulator', 'stt:deepgram', 'carrier:simulator'])).toEqual(['tts']);
});
