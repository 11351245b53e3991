import type { Scope } from './scopes';

/** The 23 event types of section 6; no other exists on the stream EVENTS. */
export const eventTypes = [
  'call.created',
  'call.queued',
  'call.dialing',
  'call.answered',
  'media.started',
  'call.ended',
  'call.failed',
  'call.canceled',
  'call.completed',
  'call.transcript.ready',
  'call.recording.ready',
  'call.extraction.ready',
  'call.extraction.failed',
  'call.translation.ready',
  'call.translation.failed',
  'sms.translation.ready',
  'sms.translation.failed',
  'sms.received',
  'sms.sent',
  'campaign.launched',
  'campaign.contact.completed',
  'campaign.completed',
  'sms.delivery_updated',
] as const;
export type EventType = (typeof eventTypes)[number];

/** True for one of the 23 types. */
export const isEventType = (value: unknown): value is EventType => (eventTypes as readonly unknown[]).includes(value);

/** What an endpoint is subscribed to when `events` is omitted or empty at creation (section 6 rule 1). */
export const defaultEventTypes = [
  'call.created',
  'call.answered',
  'media.started',
  'call.ended',
  'call.completed',
  'call.failed',
  'call.canceled',
] as const satisfies readonly EventType[];

/** Scopes that a subscription to a type requires (section 6 rule 3). */
export const subscriptionScopes: Readonly<Partial<Record<EventType, Scope>>> = {
  'sms.received': 'sms:read',
  'call.extraction.ready': 'recordings:read',
};

/** Scopes that changing any destination of an endpoint requires, all of them (section 6 rule 4). */
export const destinationScopes: readonly Scope[] = ['sms:read', 'recordings:read'];

/** The NATS subject of an event (decisions section 6). */
export const eventSubject = (organizationId: string, type: EventType): string => `events.v1.${organizationId}.${type}`;

/** All events of all organizations. */
export const allEventSubjects = 'events.v1.>';

/** The NATS subject of an audit act on the stream AUDIT. */
export const auditSubject = (organizationId: string): string =>
  `audit.v1.${organizationId === '' ? 'platform' : organizationId}`;

/** Above this many bytes `data` is a link to the resource. */
export const maxEventDataBytes = 256 * 1024;

/**
 * The `data` of an event: the resource as it was rendered, or `{ "url": ... }` in its place above `maxEventDataBytes`.
 * @param rendered JSON of the resource
 * @param path where the resource is read, as `/v1/calls/call_...`
 */
export const eventData = (rendered: string, path: string): string =>
  Buffer.byteLength(rendered) <= maxEventDataBytes ? rendered : JSON.stringify({ url: path });
