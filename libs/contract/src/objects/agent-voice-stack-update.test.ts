import {
  accepts,
  enumField,
  ignoredFields,
  listField,
  objectField,
  refuses,
  textField,
  type Subject,
} from '../../test/rule-table';
import { limits } from '../limits';
import { AgentVoiceStackUpdate, voiceStackReadOnlyFields } from './agent-voice-stack-update';
import { voiceFrontends } from './components';

const cleared = ['system_prompt', 'first_message', 'begin_message', 'language', 'languages'];
const subject: Subject = { cls: AgentVoiceStackUpdate, nullable: cleared };
const component = { provider: 'p', model: 'm' };

textField(subject, 'system_prompt', { max: 100_000 });
textField(subject, 'first_message', limits.firstMessage);
textField(subject, 'begin_message', limits.firstMessage);
textField(subject, 'language', limits.languageCode);
enumField(subject, 'voice_frontend', voiceFrontends);
listField(subject, 'languages', { min: 1, max: 32 }, (index) => `l${index}`);
textField(subject, 'languages[0]', { min: 2, max: 35 });
listField(subject, 'language_profiles', { min: 0, max: 32 }, () => ({ locale: 'de' }));
accepts(subject, 'language_profile_revision', [0, 1, Number.MAX_SAFE_INTEGER]);
refuses(subject, 'language_profile_revision', [-1, 0.5, '0', null]);
objectField(subject, 'follow_caller', { enabled: false });
accepts(subject, 'follow_caller', [null]);

describe.each(['transcriber', 'model', 'voice'])('%s', (name) => {
  accepts(subject, name, [component, { ...component, options: { a: [1] } }, null]);
  if (name === 'voice') accepts(subject, name, [{ ...component, voice_id: 'v' }]);
  else refuses(subject, name, [{ ...component, voice_id: 'v' }]);
  const times = (count: number) => ({ ...component, fallbacks: Array.from({ length: count }, () => component) });
  accepts(subject, name, [times(0), times(3)]);
  refuses(subject, name, [times(4), { ...component, fallbacks: component }, { ...component, fallbacks: null }]);
  const withFallback = (change: object) => ({ ...component, fallbacks: [{ ...component, ...change }] });
  accepts(subject, name, [withFallback({ options: { a: 1 } })]);
  refuses(subject, name, [withFallback({ fallbacks: [] }), withFallback({ model: '' }), withFallback({ other: 1 })]);
  if (name === 'voice') accepts(subject, name, [withFallback({ voice_id: 'v' })]);
  else refuses(subject, name, [withFallback({ voice_id: 'v' })]);
  refuses(subject, name, [
    [],
    [component],
    5,
    {},
    { provider: 'p' },
    { ...component, other: 1 },
    { ...component, options: [] },
  ]);
  textField(subject, `${name}.provider`, limits.provider, component);
  textField(subject, `${name}.model`, limits.model, component);
});
accepts(subject, 'voice', ['a legacy label']);
refuses(subject, 'voice', ['']);
refuses(subject, 'transcriber', ['a label']);
refuses(subject, 'model', ['a label']);

accepts(subject, 'component_credential_bindings', [{}, { stt: null, llm: 'cred_1', tts: null }]);
refuses(subject, 'component_credential_bindings', [null, [], 'x', { stt: 5 }, { stt: '' }, { sst: null }, { llm: {} }]);

describe.each(['opening', 'turn_taking', 'voice_polish', 'answer_detection', 'audio_environment'])('%s', (name) => {
  objectField(subject, name, {});
  accepts(subject, name, [null]);
});
objectField(subject, 'navigation', { enabled: true });

accepts(subject, 'audio_environment', [
  { preset: 'office' },
  { preset: 'none', volume: 0 },
  { preset: 'street', volume: 1 },
]);
refuses(subject, 'audio_environment', [{ preset: 'beach' }, { volume: 0.5 }, { preset: 'office', volume: -0.01 }]);
refuses(subject, 'audio_environment', [
  { preset: 'office', volume: 1.01 },
  { preset: 'office', other: 1 },
  { preset: null },
]);

listField(subject, 'tools', { min: 0, max: 32 }, (index) => `tool_${index}`);
accepts(subject, 'expected_tools', [[], ['x', { type: 'whatever' }]]);
ignoredFields(subject, voiceStackReadOnlyFields);
refuses(subject, 'turn_takin', [{}]);
refuses(subject, 'metadata', [{}]);
refuses(subject, 'status', ['active']);
