/** The two event streams of the platform; see `streams`. */
export type StreamName = 'EVENTS' | 'AUDIT';

/** An event that a service appends in the transaction of the change that the event reports. */
export interface OutboxEvent {
  /** `evt_...` or `aud_...`; also used as the message id by which the stream drops duplicates. */
  readonly id: string;
  readonly stream: StreamName;
  /** For example `events.v1.<organization_id>.call.created`, or `audit.v1.<organization_id>`, to which the relay appends the service name. */
  readonly subject: string;
  /**
   * JSON text of at most 512 KiB, published and delivered byte for byte. Its `resource_id` and `resource_seq` determine the order: events of one resource are
   * published sequentially, events without a resource independently.
   */
  readonly payload: string;
  /** W3C trace context of the request that caused the event. */
  readonly traceparent?: string;
}

/** An event as received by a consumer, possibly more than once. */
export interface ConsumedEvent {
  /** The id of the event, which is the message id; `<stream>-<sequence>` if the publisher set none. */
  readonly id: string;
  readonly stream: string;
  readonly subject: string;
  /** The event type: the publisher's header, otherwise the part of the subject after the organization, such as `call.created`. */
  readonly type: string;
  /** The exact bytes that were published. */
  readonly data: Uint8Array;
  /** `data` as text. */
  readonly payload: string;
  readonly traceparent?: string;
  readonly streamSeq: number;
  /** The number of deliveries including this one, from 1. */
  readonly deliveries: number;
}

/** The header that contains an event's type, in addition to the subject. */
export const eventTypeHeader = 'Parley-Event-Type';

/** The event type from a subject: the part after `<family>.<version>.<organization>`. */
export function typeOfSubject(subject: string): string {
  return subject.split('.').slice(3).join('.');
}
