import { validate } from '../rules/validate';
import { AgentEndpointUpdate } from './agent-endpoint';
import { Agent } from './agent';
import { AgentUpdate } from './agent-update';
import { AgentVoiceStackUpdate } from './agent-voice-stack-update';
import { NumberUpdate } from './number';
import { MaintenanceUpdate } from './organization';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const workspace = { organization_id: 'org_1', project_id: 'prj_1' };
const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
const profile = { locale: 'de', greeting: 'Hallo' };
const agent = {
  mode: 'hosted',
  name: 'Reception',
  language: 'en',
  system_prompt: '',
  first_message: 'Hello',
  voice: { provider: 'simulator', model: 'm', voice_id: 'v' },
  tools: ['legacy', { type: 'builtin', name: 'end_call' }],
  recording_enabled: false,
  webhook_url: 'https://example.com/hook',
  audio_stream_url: 'wss://example.com/audio',
  metadata: { mine: 1, opening: { first_speaker: 'agent' }, navigation: { enabled: null } },
};

describe('a record that was read can be sent back', () => {
  it('an agent, in an update and in a creation', () => {
    const read = {
      ...workspace,
      ...agent,
      ...times,
      agent_id: 'agt_1',
      status: 'active',
      voice_stack: {},
      suspension: {},
    };
    expect(plain(validate(AgentUpdate, read).value)).toEqual({ ...workspace, ...agent, status: 'active' });
    const { status: _belongsToTheUpdate, ...created } = read;
    expect(plain(validate(Agent, created).value)).toEqual({ ...workspace, ...agent });
  });

  it('a voice stack, in its update', () => {
    const component = { provider: 'simulator', model: 'm' };
    const sections = {
      opening: {},
      turn_taking: { min_speech_ms: 80 },
      answer_detection: { voicemail: 'off' },
      voice_frontend: 'cascade',
      language: 'en',
    };
    const read = {
      ...workspace,
      ...sections,
      agent_id: 'agt_1',
      transcriber: { ...component, label: 'Simulator' },
      model: component,
      voice: { ...component, voice_id: 'v', label: 'V', delivery_control: 'speed', delivery_profiles: { calm: 0.9 } },
      cost: { total: 1 },
      latency: { total: 1 },
      selectable: true,
      warnings: ['w'],
      voice_label: 'V',
      navigation: {
        enabled: null,
        effective: false,
        max_hold_seconds: 600,
        max_navigation_seconds: 180,
        eligible: false,
        ineligible_reason: 'not_released',
      },
      language_profiles: {
        languages: ['en', 'de'],
        profiles: [profile],
        published_version: 1,
        published_at: times.created_at,
        published_languages: ['en', 'de'],
        published_follow_caller: null,
        published_starting_language: '',
        revision: 3,
      },
      audio_environment: { invalid: true, stored: { preset: 'beach' } },
    };
    expect(plain(validate(AgentVoiceStackUpdate, read).value)).toEqual({
      ...workspace,
      ...sections,
      transcriber: component,
      model: component,
      voice: { ...component, voice_id: 'v' },
      navigation: { enabled: null, max_hold_seconds: 600, max_navigation_seconds: 180 },
      language_profiles: [profile],
    });
  });

  it('language profiles in the form that a read returns are validated like those of an update', () => {
    expect(() => validate(AgentVoiceStackUpdate, { language_profiles: { profiles: [{ locale: 'd' }] } })).toThrow(
      'language_profiles.profiles[0].locale',
    );
    expect(() => validate(AgentVoiceStackUpdate, { language_profiles: {} })).toThrow('language_profiles');
    expect(() => validate(AgentVoiceStackUpdate, { audio_environment: { invalid: false } })).toThrow(
      'audio_environment',
    );
  });

  it('an endpoint, a number and a maintenance window, in their updates', () => {
    const endpoint = {
      webhook_url: agent.webhook_url,
      audio_stream_url: agent.audio_stream_url,
      events: ['call.created'],
      name: 'n',
    };
    const readEndpoint = { ...workspace, ...endpoint, ...times, agent_endpoint_id: 'ep_1', status: 'active' };
    expect(plain(validate(AgentEndpointUpdate, readEndpoint).value)).toEqual({ ...workspace, ...endpoint });
    const number = {
      ...workspace,
      ...times,
      number_id: 'num_1',
      phone_number: '+15005550000',
      provider: 'simulator',
      inbound_agent_id: null,
      dialer: 'own',
      carrier_credential_id: 'cred_1',
      verified_at: null,
    };
    expect(plain(validate(NumberUpdate, number).value)).toEqual({
      ...workspace,
      inbound_agent_id: null,
      dialer: 'own',
    });
    const window = { active: false, retry_after_seconds: 60, starts_at: null, ends_at: null, message: null };
    expect(plain(validate(MaintenanceUpdate, window).value)).toEqual(window);
  });
});
