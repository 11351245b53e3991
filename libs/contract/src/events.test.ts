import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from './limits';
import {
  defaultEventTypes,
  destinationScopes,
  eventAccess,
  eventDeclarations,
  eventSubject,
  eventTypes,
  isEventType,
} from './events';

it('the default subscription contains neither call.queued nor call.dialing', () => {
  expect(defaultEventTypes).toEqual([
    'call.created',
    'call.answered',
    'media.started',
    'call.ended',
    'call.completed',
    'call.failed',
    'call.canceled',
  ]);
});

it('only sms.* and call.extraction.ready require a scope to subscribe', () => {
  const subscribing = eventTypes.flatMap((type) =>
    eventAccess[type].subscribe === null ? [] : [[type, eventAccess[type].subscribe]],
  );
  expect(Object.fromEntries(subscribing)).toEqual({
    'sms.received': 'sms:read',
    'sms.sent': 'sms:read',
    'sms.delivery_updated': 'sms:read',
    'sms.translation.ready': 'sms:read',
    'sms.translation.failed': 'sms:read',
    'call.extraction.ready': 'recordings:read',
  });
});

it('changing the destination of an endpoint requires sms:read and recordings:read', () => {
  expect(destinationScopes).toEqual(['sms:read', 'recordings:read']);
});

it.each(eventTypes.map((type) => [type, eventAccess[type].read]))('%s in the event log requires %s', (type, read) => {
  const artifact = /^call\.(transcript|recording|extraction|translation)\./.test(type);
  const namespace = type.startsWith('sms.') ? 'sms' : type.startsWith('campaign.') ? 'campaigns' : 'calls';
  expect(read).toBe(`${artifact ? 'recordings' : namespace}:read`);
});

it('the NATS subject of an event consists of organization and type', () => {
  expect(eventSubject('org_1', 'call.transcript.ready')).toBe('events.v1.org_1.call.transcript.ready');
});

it.each([
  ['call.created', true],
  ['call.unknown', false],
  ['', false],
  [5, false],
  [null, false],
])('%p is an event type: %p', (value, is) => expect(isEventType(value)).toBe(is));

it('a filter of the event log may contain every event type', () => {
  expect(limits.eventLogTypes).toEqual({ min: 1, max: eventTypes.length });
});

const root = path.resolve(__dirname, '../../..');
const files = globSync(['services/*/{src,test}/**/*.ts', 'e2e/**/*.ts'], { cwd: root }).filter(
  (file) => !file.includes('node_modules'),
);
const isTest = (file: string): boolean => /\.test\.ts$|^e2e\/|^services\/[^/]+\/test\//.test(file);
const textOf = (some: readonly string[]): string =>
  some.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
const sources = textOf(files.filter((file) => !isTest(file)));
const tests = textOf(files.filter(isTest));

const published = eventTypes.filter((type) => !eventDeclarations[type].reserved);

it.each(published)('a service publishes %s, and a test expects it', (type) => {
  // Events of calls and campaigns occur in tables of transitions, and in the list of those that begin a call. Other places that name them, such as actions of the audit log, publish nothing.
  const { resource } = eventDeclarations[type];
  const name = `'${type.replaceAll('.', '\\.')}'`;
  const inTable = resource === 'call' || resource === 'campaign';
  const publishes = new RegExp(inTable ? `\\b(events?: (\\[[^\\]]*)?|types: [^\\n]*\\[)${name}` : name);
  expect(publishes.test(sources)).toBe(true);
  // Alone, or at the end of a row such as 'draft launch running campaign.launched'.
  expect(new RegExp(`['\\s]${name.slice(1)}`).test(tests)).toBe(true);
});
