import type { Queryable } from '@parley/runtime';
import type { ConsumedEvent } from './event';

/** Thrown by a handler if no retry can succeed: the event is stored in the table `dead_letters` at once. */
export class UnprocessableEventError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UnprocessableEventError';
  }
}

/** SQLSTATE classes of a database that is unavailable, full or contended: the event did not cause the error. */
const transientClasses = new Set(['08', '40', '53', '55', '57', '58']);
const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** Whether the event did not cause the failure, so that the failure does not count toward dead-lettering. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The runtime's error for an unavailable server is internal_error with 503 or 504.
  if ('status' in error && (error.status === 503 || error.status === 504)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return transientCodes.has(code) || (code.length === 5 && transientClasses.has(code.slice(0, 2)));
}

/** Stores an event that could not be handled; can be repeated. */
export async function insertDeadLetter(
  db: Queryable,
  durable: string,
  event: ConsumedEvent,
  error: unknown,
): Promise<void> {
  await db.query({
    name: 'outbox-dead-letter',
    text: `insert into dead_letters (durable, event_id, subject, payload, traceparent, error, deliveries, stream_seq)
      values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (durable, event_id) do nothing`,
    values: [
      durable,
      event.id,
      event.subject,
      Buffer.from(event.data),
      event.traceparent ?? null,
      error instanceof Error ? (error.stack ?? error.message) : String(error),
      event.deliveries,
      event.streamSeq,
    ],
  });
}
