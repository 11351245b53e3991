/** The two streams of the platform; see `streams`. */
export type StreamName = 'EVENTS' | 'AUDIT';

/** An event that a service appends in the transaction of the change it reports. */
export interface OutboxEvent {
  /** `evt_...` or `aud_...`; also the message id by which the stream drops duplicates. */
  readonly id: string;
  readonly stream: StreamName;
  /** Such as `events.v1.<organization_id>.call.created` or `audit.v1.<organization_id>`, to which the relay adds the service. */
  readonly subject: string;
  /**
   * JSON text, at most 512 KiB; these exact bytes are published and delivered. Its `resource_id` and `resource_seq` determine the order: events of one
   * resource are published sequentially, events without a resource independently.
   */
  readonly payload: string;
  /** W3C trace context of the causing request. */
  readonly traceparent?: string;
}

/** An event as a consumer receives it, one or more times. */
export interface ConsumedEvent {
  /** The message id, which is the event's id; `<stream>-<sequence>` if the publisher set none. */
  readonly id: string;
  readonly stream: string;
  readonly subject: string;
  /** The subject after the organization, such as `call.created`; the publisher's header takes precedence. */
  readonly type: string;
  /** The exact bytes that were published. */
  readonly data: Uint8Array;
  /** `data` as text. */
  readonly payload: string;
  readonly traceparent?: string;
  readonly streamSeq: number;
  /** 1 the first time. */
  readonly deliveries: number;
}

/** The header that names an event's type next to the subject. */
export const eventTypeHeader = 'Parley-Event-Type';

/** The part of a subject after `<family>.<version>.<organization>`: the event's type. */
export function typeOfSubject(subject: string): string {
  return subject.split('.').slice(3).join('.');
}
