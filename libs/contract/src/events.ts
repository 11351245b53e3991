import type { Scope } from './scopes';

/** The scopes by which an event type is visible. */
export interface EventAccess {
  /** Required to read events of the type in the log and on streams. */
  readonly read: Scope;
  /**
   * Required to subscribe an endpoint in addition to `agents:write`; null: no further scope (docs/reference/endpoints-and-events.md#who-subscribes, and
   * sms:read for every sms.*).
   */
  readonly subscribe: Scope | null;
  /** Required for the complete `data`; without it, `withheldEventFields` are omitted. Null: complete for everyone who receives the event. */
  readonly whole: Scope | null;
}

const ofCall: EventAccess = { read: 'calls:read', subscribe: null, whole: 'calls:read' };
/** Transcripts, recordings, extractions and translations of calls: `data` is the call. */
const ofRecording: EventAccess = { read: 'recordings:read', subscribe: null, whole: 'calls:read' };
const ofMessage: EventAccess = { read: 'sms:read', subscribe: 'sms:read', whole: null };
const ofCampaign: EventAccess = { read: 'campaigns:read', subscribe: null, whole: 'campaigns:read' };

export interface EventDeclaration {
  /** The resource in `data`, as a read would have returned it at that time. */
  readonly resource: 'call' | 'message' | 'campaign' | 'campaign_contact';
  /** When it is published, as the end of the sentence "Published when …". */
  readonly when: string;
  /** The scopes by which it is visible. */
  readonly access: EventAccess;
  /** Part of the interface, but not published by any operation of this release. */
  readonly reserved?: true;
}

/** Every event type of the stream EVENTS; there are no others. The documents, filters, subscriptions and limits are derived from this list. */
const declared = {
  'call.created': { resource: 'call', when: 'a call is recorded, whatever becomes of it', access: ofCall },
  'call.queued': { resource: 'call', when: 'a call waits to be dialled', access: ofCall },
  'call.dialing': { resource: 'call', when: 'the carrier is asked to dial', access: ofCall },
  'call.answered': { resource: 'call', when: 'the other party answers', access: ofCall },
  'media.started': { resource: 'call', when: 'sound flows on an answered call', access: ofCall },
  'call.ended': { resource: 'call', when: 'an answered call is over', access: ofCall },
  'call.failed': { resource: 'call', when: 'a call ends without a conversation', access: ofCall },
  'call.canceled': { resource: 'call', when: 'a call is canceled before it is answered', access: ofCall },
  'call.completed': {
    resource: 'call',
    when: 'everything about an ended call is recorded',
    access: ofCall,
  },
  'call.transcript.ready': { resource: 'call', when: 'the transcript of a call can be read', access: ofRecording },
  'call.recording.ready': { resource: 'call', when: 'the recording of a call can be read', access: ofRecording },
  'call.extraction.ready': {
    resource: 'call',
    when: 'data was extracted from a call',
    access: { ...ofRecording, subscribe: 'recordings:read' },
  },
  'call.extraction.failed': {
    resource: 'call',
    when: 'data could not be extracted from a call',
    access: ofRecording,
  },
  'call.translation.ready': {
    resource: 'call',
    when: 'the translated transcript of a call can be read',
    access: ofRecording,
  },
  'call.translation.failed': {
    resource: 'call',
    when: 'the transcript of a call could not be translated',
    access: ofRecording,
  },
  'sms.translation.ready': { resource: 'message', when: 'the translation of a message can be read', access: ofMessage },
  'sms.translation.failed': { resource: 'message', when: 'a message could not be translated', access: ofMessage },
  'sms.received': { resource: 'message', when: 'a message comes in', access: ofMessage },
  'sms.sent': { resource: 'message', when: 'the carrier takes a message', access: ofMessage },
  'campaign.launched': { resource: 'campaign', when: 'a campaign begins to call', access: ofCampaign },
  'campaign.contact.completed': {
    resource: 'campaign_contact',
    when: 'no further call is placed to a contact of a campaign',
    access: ofCampaign,
  },
  'campaign.completed': { resource: 'campaign', when: 'all contacts of a campaign are completed', access: ofCampaign },
  'sms.delivery_updated': {
    resource: 'message',
    when: 'a sent message is delivered, or is known not to be',
    access: ofMessage,
  },
} as const satisfies Readonly<Record<string, EventDeclaration>>;

export type EventType = keyof typeof declared;

export const eventDeclarations: Readonly<Record<EventType, EventDeclaration>> = declared;

/** In documentation order. */
export const eventTypes = Object.keys(declared) as EventType[];

const entries = Object.entries(eventDeclarations) as [EventType, EventDeclaration][];

/** The types whose `data` is this kind of resource. */
export type EventTypeOf<Resource extends EventDeclaration['resource']> = {
  [Type in EventType]: (typeof declared)[Type]['resource'] extends Resource ? Type : never;
}[EventType];

/** The sample event delivered by POST /v1/agent-endpoints/{agent_endpoint_id}/test: it is in no log and on no stream, and cannot be subscribed to. */
export const testEventType = 'endpoint.test';

/** The event types of deliveries. */
export const deliveredTypes = [...eventTypes, testEventType] as const;
export type DeliveredType = EventType | typeof testEventType;

export const isEventType = (value: unknown): value is EventType => (eventTypes as readonly unknown[]).includes(value);

/** The subscriptions of an endpoint if `events` is omitted or empty at creation (docs/reference/endpoints-and-events.md#default-subscription). */
export const defaultEventTypes = [
  'call.created',
  'call.answered',
  'media.started',
  'call.ended',
  'call.completed',
  'call.failed',
  'call.canceled',
] as const satisfies readonly EventType[];

/** The scopes of every type. */
export const eventAccess = Object.fromEntries(entries.map(([type, { access }]) => [type, access])) as Readonly<
  Record<EventType, EventAccess>
>;

/** Fields of `data`, at any depth, that are omitted without the scope for complete payloads: variables, metadata and numbers. */
export const withheldEventFields: readonly string[] = ['variables', 'metadata', 'from', 'to', 'phone_number'];

/** The scopes that determine whether payloads are complete. */
export const wholePayloadScopes: readonly Scope[] = ['calls:read', 'campaigns:read'];

/** All scopes required to change any destination of an endpoint (docs/reference/endpoints-and-events.md#destination). */
export const destinationScopes: readonly Scope[] = ['sms:read', 'recordings:read'];

/** The NATS subject of an event (docs/reference/endpoints-and-events.md). */
export const eventSubject = (organizationId: string, type: EventType): string => `events.v1.${organizationId}.${type}`;

/** All events of all organizations. */
export const allEventSubjects = 'events.v1.>';

/** The NATS subject of an audit act on the stream AUDIT. */
export const auditSubject = (organizationId: string): string =>
  `audit.v1.${organizationId === '' ? 'platform' : organizationId}`;

/** If `data` is larger than this, it is replaced by a link to the resource. */
export const maxEventDataBytes = 256 * 1024;

/**
 * The `data` of an event: the resource as it was rendered, or `{ "url": ... }` in its place above `maxEventDataBytes`.
 * @param rendered JSON of the resource
 * @param path where the resource is read, as `/v1/calls/call_...`
 */
export const eventData = (rendered: string, path: string): string =>
  Buffer.byteLength(rendered) <= maxEventDataBytes ? rendered : JSON.stringify({ url: path });
