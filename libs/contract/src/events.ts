import type { Scope } from './scopes';

/** The scopes that give access to an event type. */
export interface EventAccess {
  /** Required to read events of this type in the log and on streams. */
  readonly read: Scope;
  /**
   * Required to subscribe an endpoint, in addition to `agents:write`; null: no further scope (docs/reference/endpoints-and-events.md#who-subscribes; sms:read
   * for all sms.* events).
   */
  readonly subscribe: Scope | null;
  /** Required for the complete `data`; without it, `withheldEventFields` are omitted. Null: everyone who receives the event gets the complete data. */
  readonly whole: Scope | null;
}

const ofCall: EventAccess = { read: 'calls:read', subscribe: null, whole: 'calls:read' };
/** Events about transcripts, recordings, extractions and translations of calls; `data` is the call. */
const ofRecording: EventAccess = { read: 'recordings:read', subscribe: null, whole: 'calls:read' };
const ofMessage: EventAccess = { read: 'sms:read', subscribe: 'sms:read', whole: null };
const ofCampaign: EventAccess = { read: 'campaigns:read', subscribe: null, whole: 'campaigns:read' };

export interface EventDeclaration {
  /** The resource in `data`, as a read would have shown it at the time of the event. */
  readonly resource: 'call' | 'message' | 'campaign' | 'campaign_contact';
  /** When it is published; used in the documents after "Published when …". */
  readonly when: string;
  /** The scopes that give access to it. */
  readonly access: EventAccess;
  /** The type is part of the interface, but this release never publishes it. */
  readonly reserved?: true;
  /** The type of the report by which the worker of a call causes it; absent: no report of a worker does. */
  readonly report?: string;
}

/** All event types of the stream EVENTS. The documents, filters, subscriptions and limits are derived from this list. */
const declared = {
  'call.created': { resource: 'call', when: 'a call is recorded, whatever its outcome', access: ofCall },
  'call.queued': { resource: 'call', when: 'a call waits to be dialed', access: ofCall },
  'call.dialing': { resource: 'call', when: 'the carrier is asked to dial', access: ofCall, report: 'dialing' },
  'call.answered': { resource: 'call', when: 'the other party answers', access: ofCall, report: 'answered' },
  'media.started': {
    resource: 'call',
    when: 'audio flows on an answered call',
    access: ofCall,
    report: 'media_started',
  },
  'call.ended': { resource: 'call', when: 'an answered call is over', access: ofCall, report: 'ended' },
  'call.failed': { resource: 'call', when: 'a call ends without a conversation', access: ofCall, report: 'failed' },
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

/** In the order of the documentation. */
export const eventTypes = Object.keys(declared) as EventType[];

const entries = Object.entries(eventDeclarations) as [EventType, EventDeclaration][];

/** The event types whose `data` is this kind of resource. */
export type EventTypeOf<Resource extends EventDeclaration['resource']> = {
  [Type in EventType]: (typeof declared)[Type]['resource'] extends Resource ? Type : never;
}[EventType];

/** The types of the events in reports of workers. */
export type JobEventType = {
  [Type in EventType]: (typeof declared)[Type] extends { readonly report: infer Report extends string }
    ? Report
    : never;
}[EventType];
export const jobEventTypes = entries.flatMap(([, { report }]) => report ?? []) as JobEventType[];

/**
 * The type of the sample event that POST /v1/agent-endpoints/{agent_endpoint_id}/test delivers. It occurs in no log and on no stream, and endpoints cannot
 * subscribe to it.
 */
export const testEventType = 'endpoint.test';

/** The event types that deliveries can have. */
export const deliveredTypes = [...eventTypes, testEventType] as const;
export type DeliveredType = EventType | typeof testEventType;

export const isEventType = (value: unknown): value is EventType => (eventTypes as readonly unknown[]).includes(value);

/**
 * The event types to which an endpoint is subscribed if `events` is omitted or empty at its creation
 * (docs/reference/endpoints-and-events.md#default-subscription).
 */
export const defaultEventTypes = [
  'call.created',
  'call.answered',
  'media.started',
  'call.ended',
  'call.completed',
  'call.failed',
  'call.canceled',
] as const satisfies readonly EventType[];

/** The scopes of all event types. */
export const eventAccess = Object.fromEntries(entries.map(([type, { access }]) => [type, access])) as Readonly<
  Record<EventType, EventAccess>
>;

/** Fields of `data`, at any depth, that are omitted if the scope for complete payloads is missing: variables, metadata and phone numbers. */
export const withheldEventFields: readonly string[] = [
  'variables',
  'metadata',
  'from',
  'from_raw',
  'to',
  'phone_number',
];

/** The scopes that determine whether a receiver gets complete payloads. */
export const wholePayloadScopes: readonly Scope[] = ['calls:read', 'campaigns:read'];

/** The scopes that are required to change any destination of an endpoint (docs/reference/endpoints-and-events.md#destination). */
export const destinationScopes: readonly Scope[] = ['sms:read', 'recordings:read'];

/** The NATS subject of an event (docs/reference/endpoints-and-events.md). */
export const eventSubject = (organizationId: string, type: EventType): string => `events.v1.${organizationId}.${type}`;

/** The NATS subject pattern of all events of all organizations. */
export const allEventSubjects = 'events.v1.>';

/** The NATS subject of an audit event on the stream AUDIT. */
export const auditSubject = (organizationId: string): string =>
  `audit.v1.${organizationId === '' ? 'platform' : organizationId}`;

/** `data` that is larger than this is replaced by a link to the resource. */
export const maxEventDataBytes = 256 * 1024;

/**
 * The `data` of an event: the rendered resource, or `{ "url": ... }` if it is larger than `maxEventDataBytes`.
 * @param rendered JSON of the resource
 * @param path the path at which the resource can be read, such as `/v1/calls/call_...`
 */
export const eventData = (rendered: string, path: string): string =>
  Buffer.byteLength(rendered) <= maxEventDataBytes ? rendered : JSON.stringify({ url: path });
