import { nextDelayMs, retryAfterMs } from './schedule.rules';

/** The properties of an attempt that determine the next step. */
export interface AttemptFacts {
  /** The number of the attempt, from 1. */
  readonly number: number;
  readonly status?: number;
  /** Why there was no complete response; undefined if there was one. */
  readonly error?: string;
  readonly retryAfter?: string;
}

export type Verdict =
  | { readonly kind: 'delivered' }
  /** The attempt is retried after `delayMs`. */
  | { readonly kind: 'retry'; readonly error: string; readonly delayMs: number }
  /** The last attempt failed; the delivery is kept and can be retried manually. */
  | { readonly kind: 'exhausted'; readonly error: string }
  /** The receiver returned 410 Gone: the endpoint and this delivery are parked at once. */
  | { readonly kind: 'gone'; readonly error: string };

function errorOf({ status, error }: AttemptFacts): string | undefined {
  if (error !== undefined) return error;
  if (status === undefined) return 'connection_failed';
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? 'redirect' : 'http_status';
}

/** The next step after an attempt (docs/reference/endpoints-and-events.md). Only a complete 2xx response in time is a success; redirects are failures. */
export function verdictOf(facts: AttemptFacts, random: number, now: Date): Verdict {
  const error = errorOf(facts);
  if (error === undefined) return { kind: 'delivered' };
  if (facts.status === 410 && facts.error === undefined) return { kind: 'gone', error };
  const delayMs = nextDelayMs(facts.number, random, retryAfterMs(facts.retryAfter, now));
  return delayMs === undefined ? { kind: 'exhausted', error } : { kind: 'retry', error, delayMs };
}
