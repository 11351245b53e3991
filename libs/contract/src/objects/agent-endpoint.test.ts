import {
  accepts,
  enumField,
  ignoredFields,
  refuses,
  requiredFields,
  textField,
  type Subject,
} from '../../test/rule-table';
import { eventTypes } from '../events';
import { validate } from '../rules/validate';
import { AgentEndpoint, AgentEndpointUpdate } from './agent-endpoint';

const base = {
  organization_id: 'org_1',
  project_id: 'prj_1',
  webhook_url: 'https://example.com/hook',
  audio_stream_url: 'wss://example.com/audio',
};
const create: Subject = { cls: AgentEndpoint, base };
const update: Subject = { cls: AgentEndpointUpdate };

requiredFields(create, Object.keys(base));
accepts(create, 'events', [[], [...eventTypes]]);
refuses(update, 'events', [[]]);

describe.each([
  ['creation', create],
  ['update', update],
])('%s', (_, subject) => {
  textField(subject, 'name', { max: 200 });
  accepts(subject, 'events', [['call.created'], [...eventTypes]]);
  refuses(subject, 'events', [
    null,
    'call.created',
    {},
    ['call.unknown'],
    [null],
    ['call.created', 'call.created'],
    [['call.created']],
  ]);
  enumField(subject, 'events[0]', eventTypes);
  refuses(subject, 'webhook_url', [
    'http://example.com',
    'https://u@example.com',
    'ftp://example.com',
    '',
    'x',
    null,
    5,
  ]);
  refuses(subject, 'audio_stream_url', ['ws://example.com', 'https://example.com', 'wss://u:p@example.com', '', null]);
  ignoredFields(subject, ['agent_endpoint_id', 'status', 'created_at', 'updated_at']);
});

it('http and ws URLs are accepted only in the development profile', () => {
  const body = { ...base, webhook_url: 'http://127.0.0.1:1234/hook', audio_stream_url: 'ws://127.0.0.1:1234/audio' };
  expect(validate(AgentEndpoint, body, { insecureUrls: true }).value.webhook_url).toBe('http://127.0.0.1:1234/hook');
  expect(() => validate(AgentEndpoint, body)).toThrow('webhook_url');
});
