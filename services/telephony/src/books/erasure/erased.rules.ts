/** A resource that was erased in this service. Copies of its events exist in the event log and in webhook deliveries. */
export interface ErasedCopy {
  readonly resourceId: string;
  readonly firstEventId: string;
  readonly lastEventId: string;
  /** How many of its events may not have reached the event log yet. */
  readonly events: number;
}

/** The statuses in which a call can be erased. A call that is only `ended` still receives its transcript. */
export const overStatuses = "('completed', 'failed', 'canceled', 'policy_blocked')";

/**
 * SQL of the person with a phone number, as in `message_chats`: a digest that is different in each organization. $1 is the organization.
 * @param phoneNumber SQL of the number
 */
export const personWith = (phoneNumber: string): string =>
  `sha256(convert_to($1::text || ' ' || ${phoneNumber}, 'UTF8'))`;

/** The idempotency scope of replies; the key is the id of the message that is answered. */
export const replyRoute = 'reply-to-message';
