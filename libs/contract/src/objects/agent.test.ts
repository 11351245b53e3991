import {
  booleanField,
  accepts,
  enumField,
  ignoredFields,
  listField,
  objectField,
  refusal,
  refuses,
  requiredFields,
  textField,
  withValue,
  type Subject,
} from '../../test/rule-table';
import { limits } from '../limits';
import { Agent, voiceStackRoute, voiceStackSettings } from './agent';
import { AgentUpdate } from './agent-update';
import { agentModes, voiceFrontends } from './components';

const base = { organization_id: 'org_1', project_id: 'prj_1', mode: 'hosted' };
const create: Subject = { cls: Agent, base };
const cleared = ['name', 'language', 'system_prompt', 'first_message', 'begin_message'];
const update: Subject = { cls: AgentUpdate, nullable: cleared };
const profile = { locale: 'de' };

describe('fields that only the creation accepts', () => {
  requiredFields(create, ['organization_id', 'project_id', 'mode']);
  textField(create, 'organization_id', { min: 1, max: 64 });
  textField(create, 'project_id', { min: 1, max: 64 });
  enumField(create, 'voice_frontend', voiceFrontends);
  listField(create, 'languages', limits.languages, (index) => `l${index}`);
  textField(create, 'languages[0]', limits.languageCode);
  listField(create, 'language_profiles', { min: 0, max: limits.languages.max }, () => profile);
  objectField(create, 'follow_caller', { enabled: true });
  refuses(create, 'follow_caller', [null, {}]);
  objectField(create, 'opening', { first_speaker: 'agent' });
  accepts(create, 'opening', [{}]);
  refuses(create, 'opening', [null]);
  ignoredFields(create, ['agent_id', 'voice_stack', 'suspension', 'created_at', 'updated_at']);
  refuses(create, 'status', ['active', 'inactive', 'suspended']);

  const elsewhere = voiceStackSettings.filter(
    (name) => !['opening', 'follow_caller', 'languages', 'language_profiles'].includes(name),
  );
  it.each(elsewhere)('%s is refused with a reference to the voice-stack route', (name) => {
    const error = refusal(create, withValue(base, name, {}));
    expect([error.code, error.message.startsWith(name), error.message.includes(voiceStackRoute)]).toEqual([
      'BadRequestError',
      true,
      true,
    ]);
  });
});

describe('metadata at creation', () => {
  accepts(create, 'metadata', [
    {},
    { a: [1, null, { b: 'c' }], agent_id: 'mine' },
    { navigation: { enabled: null, max_hold_seconds: 10 } },
  ]);
  refuses(create, 'metadata', [null, [], 'x', 5]);
  refuses(create, 'metadata', [{ a: 'x'.repeat(limits.metadataBytes) }]);
  refuses(create, 'metadata.navigation.max_hold_seconds', [9, 3601, '10']);
  refuses(create, 'metadata.navigation.other', [1]);
  refuses(create, 'metadata.opening.silence_wait_seconds', [0.5, 6]);
  refuses(create, 'metadata.follow_caller.scope', ['everyone']);

  it.each<[string, unknown]>([
    ['null', null],
    ['an empty object', {}],
    ['limits without enabled', { max_hold_seconds: 600 }],
  ])('metadata.navigation: %s is refused with navigation_enabled_required', (_, navigation) => {
    const error = refusal(create, withValue(base, 'metadata.navigation', navigation));
    expect([error.code, error.status]).toEqual(['navigation_enabled_required', 400]);
  });

  it('accepts exactly 64 KiB and refuses one byte more', () => {
    const empty = JSON.stringify({ a: '' }).length;
    const body = withValue(base, 'metadata', { a: 'x'.repeat(limits.metadataBytes - empty) });
    expect(() => refusal(create, body)).toThrow('accepted');
    expect(
      refusal(create, withValue(base, 'metadata', { a: 'x'.repeat(limits.metadataBytes - empty + 1) })).status,
    ).toBe(400);
  });
});

describe.each([
  ['the creation', create],
  ['the update', update],
])('fields of %s', (_, subject) => {
  enumField(subject, 'mode', agentModes);
  textField(subject, 'name', limits.name);
  textField(subject, 'language', limits.languageCode);
  textField(subject, 'system_prompt', limits.systemPrompt);
  textField(subject, 'first_message', limits.firstMessage);
  textField(subject, 'begin_message', limits.firstMessage);
  booleanField(subject, 'recording_enabled');
  booleanField(subject, 'answers_messages');
  accepts(subject, 'webhook_url', ['https://example.com/hook']);
  refuses(subject, 'webhook_url', ['http://example.com', 'https://u:p@example.com', 'x', '', 5]);
  accepts(subject, 'audio_stream_url', ['wss://example.com/audio']);
  refuses(subject, 'audio_stream_url', ['ws://example.com', 'https://example.com', '']);

  accepts(subject, 'voice', [
    'a legacy voice id',
    { provider: 'p', model: 'm' },
    { provider: 'p', model: 'm', voice_id: 'v' },
  ]);
  refuses(subject, 'voice', ['', 'v'.repeat(513), 5, [], [{ provider: 'p', model: 'm' }]]);
  refuses(subject, 'voice', [{ provider: 'p' }, { model: 'm' }, {}, { provider: 'p', model: 'm', other: 1 }]);
  textField(subject, 'voice.provider', limits.provider, { provider: 'p', model: 'm' });
  textField(subject, 'voice.model', limits.model, { provider: 'p', model: 'm' });
  textField(subject, 'voice.voice_id', limits.voiceId, { provider: 'p', model: 'm' });

  accepts(subject, 'translation', [{ enabled: true, target_language: 'de', scope: 'both' }, { enabled: false }]);
  (subject === update ? accepts : refuses)(subject, 'voice', [null]);
  (subject === update ? accepts : refuses)(subject, 'webhook_url', [null]);
  (subject === update ? accepts : refuses)(subject, 'audio_stream_url', [null]);
  (subject === update ? accepts : refuses)(subject, 'translation', [null]);
  refuses(subject, 'translation', [
    [],
    {},
    { enabled: 'yes' },
    { enabled: true, scope: 'all' },
    { enabled: true, other: 1 },
  ]);
  refuses(subject, 'translation', [
    { enabled: true, target_language: 'd' },
    { enabled: true, target_language: 'd'.repeat(36) },
  ]);
  listField(subject, 'tools', { min: 0, max: 32 }, (index) => `tool_${index}`);
});

describe('fields that only the update accepts', () => {
  it.each([...voiceStackSettings, 'voice_frontend'])(
    '%s is refused with a reference to the voice-stack route',
    (name) => {
      for (const value of [{}, null, [], 'x']) {
        const error = refusal(update, { [name]: value });
        expect([error.code, error.message.startsWith(name), error.message.includes(voiceStackRoute)]).toEqual([
          'BadRequestError',
          true,
          true,
        ]);
      }
    },
  );

  accepts(update, 'status', ['active', 'inactive']);
  refuses(update, 'status', ['suspended', 'Active', '', null, true, ['active']]);
  accepts(update, 'expected_tools', [[], ['x', { type: 'whatever', read_only: true }]]);
  refuses(update, 'expected_tools', [null, 'x', {}]);
  accepts(update, 'metadata', [{}, { navigation: 'compared with what is stored, not checked here' }]);
  refuses(update, 'metadata', [null, [], 'x']);
  accepts(update, 'organization_id', ['org_1']);
  accepts(update, 'project_id', ['prj_1']);
  refuses(update, 'organization_id', [null, 5]);
  refuses(update, 'project_id', [null, 5]);
  ignoredFields(update, ['agent_id', 'created_at', 'updated_at']);
  refuses(update, 'sytem_prompt', ['x']);
});
