import {
  defaultEventTypes,
  destinationScopes,
  eventSubject,
  eventTypes,
  isEventType,
  subscriptionScopes,
} from './events';

it('6: 23 types, each once', () => {
  expect(new Set(eventTypes).size).toBe(23);
  expect(eventTypes).toHaveLength(23);
});

it('6 r1: the default subscription leaves call.queued and call.dialing out', () => {
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

it('6 r3 and r4: scopes of subscriptions and destinations', () => {
  expect(subscriptionScopes).toEqual({ 'sms.received': 'sms:read', 'call.extraction.ready': 'recordings:read' });
  expect(destinationScopes).toEqual(['sms:read', 'recordings:read']);
});

it('an event has one subject', () => {
  expect(eventSubject('org_1', 'call.transcript.ready')).toBe('events.v1.org_1.call.transcript.ready');
});

it.each([
  ['call.created', true],
  ['call.unknown', false],
  ['', false],
  [5, false],
  [null, false],
])('%p is an event type: %p', (value, is) => expect(isEventType(value)).toBe(is));
