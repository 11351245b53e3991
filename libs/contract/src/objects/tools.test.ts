import {
  accepts,
  booleanField,
  enumField,
  integerField,
  objectField,
  refuses,
  textField,
  type Subject,
} from '../../test/rule-table';
import { validate } from '../rules/validate';
import { limits } from '../limits';
import { AgentUpdate } from './agent-update';
import {
  builtinConfigs,
  builtinToolNames,
  nameOfTool,
  SendSmsConfig,
  toolMethods,
  TransferCallConfig,
  type AgentTool,
} from './tools';

const subject: Subject = { cls: AgentUpdate };
const webhook = {
  type: 'webhook',
  name: 'look_up',
  description: 'Looks up',
  parameters: { type: 'object', properties: {} },
  url: 'https://example.com/tool',
  method: 'POST',
};
const connection = { type: 'connection', connection_id: 'con_1', action: 'create_ticket' };
const one = (tool: object): Subject => ({ ...subject, base: { tools: [tool] } });

accepts(subject, 'tools[0]', ['a', 'a'.repeat(64)]);
refuses(subject, 'tools[0]', ['', 'a'.repeat(65), 5, null, true, ['a']]);
accepts(subject, 'tools[0]', ['a-Z_09', { type: 'builtin', name: 'end_call', config: {} }, webhook, connection]);
refuses(subject, 'tools[0]', ['with space', 'ä', 'a.b', {}, { type: 'mcp' }, { name: 'end_call' }, { type: null }]);
refuses(subject, 'tools[0]', [
  { ...webhook, other: 1 },
  { type: 'builtin', name: 'end_call', url: 'https://example.com' },
]);

const builtin = { type: 'builtin', name: 'end_call' };
enumField(one(builtin), 'tools[0].name', builtinToolNames);
objectField(one(builtin), 'tools[0].config', { number: '+14155550100' });

accepts(one(webhook), 'tools[0].name', ['a', 'a'.repeat(64)]);
refuses(one(webhook), 'tools[0].name', ['', 'a'.repeat(65), 'a b', null, 5]);
textField(one(webhook), 'tools[0].description', { min: 1, max: 2000 }, webhook);
refuses(one(webhook), 'tools[0].parameters', [null, [], 'x', { a: 'x'.repeat(16 * 1024) }]);
refuses(one(webhook), 'tools[0].url', ['http://example.com', 'wss://example.com', 'https://a:b@example.com', '', null]);
enumField(one(webhook), 'tools[0].method', toolMethods);
accepts(one(webhook), 'tools[0].method', ['POST', 'PUT', 'PATCH']);
refuses(one(webhook), 'tools[0].method', ['GET', 'DELETE', 'HEAD', 'post', '']);
booleanField(one(webhook), 'tools[0].irreversible');
booleanField(one(connection), 'tools[0].irreversible');
refuses(one(builtin), 'tools[0].irreversible', [true, false]);
integerField(one(webhook), 'tools[0].timeout_ms', { min: 1000, max: 30000 });
accepts(one(webhook), 'tools[0].headers', [{}, { 'X-Key': 'value' }, { 'X-Key': '***' }]);
refuses(one(webhook), 'tools[0].headers', [
  null,
  [],
  { 'X Key': 'x' },
  { 'X-Key': 'a\r\nb' },
  { 'X-Key': 5 },
  { '': 'x' },
]);

it.each(['type', 'name', 'description', 'parameters', 'url', 'method'])('a webhook tool requires %s', (name) => {
  const { [name as 'url']: _, ...rest } = webhook;
  expect(() => validate(AgentUpdate, { tools: [rest] })).toThrow(`tools[0].${name}`);
});

it.each(['type', 'connection_id', 'action'])('a connection tool requires %s', (name) => {
  const { [name as 'action']: _, ...rest } = connection;
  expect(() => validate(AgentUpdate, { tools: [rest] })).toThrow(`tools[0].${name}`);
});

const destination = { name: 'Desk', kind: 'warm' };
const transferring: Subject = { cls: TransferCallConfig, base: { destinations: [destination] } };
accepts(transferring, 'destinations[0].to', [
  '+14155550100',
  'sip:desk@pbx.example',
  'sip:+14155550100@pbx.example:5060',
  'sip:+14155550100@pbx.example;user=phone',
  'sip:201@pbx.example',
]);
refuses(transferring, 'destinations[0].to', [
  '',
  '911',
  'desk@pbx.example',
  'sip:desk',
  'tel:+14155550100',
  'sip:desk@pbx.example;transport=tcp',
  '+1911',
  '+19005550123',
  'sip:911@pbx.example',
  'sip:%2B19005550123;phone-context=+1@pbx.example;user=phone',
  null,
]);

const sending: Subject = { cls: SendSmsConfig };
const numbers = (count: number) => Array.from({ length: count }, (_, n) => `+1415555${1000 + n}`);
accepts(sending, 'to', [numbers(1), numbers(limits.messageRecipients)]);
refuses(sending, 'to', [[], numbers(limits.messageRecipients + 1), null, '+14155550100']);
refuses(sending, 'to', [
  ['14155550100'],
  ['sip:a@b.example'],
  [5],
  [numbers(1)[0], numbers(1)[0]],
  ['+19005550123'],
  ['+1911'],
]);

it.each(builtinToolNames)('the config of %s has no unknown settings', (name) => {
  const config = name === 'transfer_call' ? { destinations: [{ ...destination, to: '+14155550100' }] } : {};
  expect(() => validate(builtinConfigs[name], config)).not.toThrow();
  expect(() => validate(builtinConfigs[name], { ...config, other: 1 }, { path: 'config' })).toThrow('config.other');
});

it('read-only fields of a tool are dropped', () => {
  const { value } = validate(AgentUpdate, { tools: [{ ...webhook, secret: 'whsec_x', read_only: true }] });
  expect(JSON.parse(JSON.stringify(value.tools))).toEqual([webhook]);
});

it.each<[AgentTool, string]>([
  ['legacy', 'legacy'],
  [{ type: 'builtin', name: 'end_call' }, 'end_call'],
  [{ type: 'connection', connection_id: 'c', action: 'create_ticket' }, 'create_ticket'],
  [{ type: 'connection', connection_id: 'c', action: 'create_ticket', name: 'ticket' }, 'ticket'],
])('the name of %j is %s', (tool, name) => expect(nameOfTool(tool)).toBe(name));
