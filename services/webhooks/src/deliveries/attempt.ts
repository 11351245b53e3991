import type { KeyObject } from 'node:crypto';
import { startSpan, type Clock } from '@parley/runtime';
import { signatureOf } from '@parley/service';
import { payloadFor } from '../events';
import type { Exchange, WebhookClient } from '../network';
import { verdictOf, type Verdict } from './attempt-verdict.rules';
import type { DueDelivery } from './due-deliveries.cross-tenant.sql';
import type { Result } from './results.cross-tenant.sql';
import type { SigningKeys } from './signing-keys';

export interface AttemptTools {
  readonly client: WebhookClient;
  /** Returns the keys of an endpoint's active secrets. Throws if a secret cannot be decrypted. */
  readonly keys: SigningKeys;
  readonly clock: Clock;
  /** Returns a random number from 0 inclusive to 1 exclusive. */
  readonly random: () => number;
}

export interface Attempted {
  readonly result: Result;
  readonly verdict: Verdict;
}

/** The headers of Standard Webhooks. `webhook-id` is the id of the event, so it is the same in every attempt. */
function headersOf(
  delivery: DueDelivery,
  keys: readonly KeyObject[],
  body: Buffer,
  now: Date,
  traceparent: string | null,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'webhook-id': delivery.event_id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(keys, delivery.event_id, timestamp, body),
    ...(traceparent === null ? {} : { traceparent }),
  };
}

/** The result of the exchange with the receiver, or the reason why there was none. */
type Answer = Omit<Exchange, 'error'> & { readonly error?: Exchange['error'] | 'secret_unavailable' };

async function exchange(delivery: DueDelivery, tools: AttemptTools): Promise<Answer> {
  const body = Buffer.from(payloadFor(delivery.event_type, delivery.payload, delivery.payload_scopes), 'utf8');
  let keys: readonly KeyObject[];
  try {
    keys = tools.keys(delivery);
  } catch {
    // The vault key is missing in this process, but the next deployment may add it: the delivery is retried on its schedule.
    return { error: 'secret_unavailable', latencyMs: 0, body: '' };
  }
  return post(delivery, keys, body, tools);
}

/** Sends the request within a span of the trace that caused the event; the receiver's own spans become its children. */
async function post(delivery: DueDelivery, keys: readonly KeyObject[], body: Buffer, tools: AttemptTools) {
  const { id, event_type: type, webhook_url: url, attempt_count: attempts } = delivery;
  const span = startSpan(`deliver ${type}`, {
    kind: 'client',
    parent: delivery.traceparent ?? undefined,
    // The path is omitted, because with some receivers it contains a secret.
    attributes: {
      'server.address': URL.parse(url)?.host ?? '',
      'parley.delivery_id': id,
      'parley.attempt': attempts + 1,
    },
  });
  const headers = headersOf(delivery, keys, body, tools.clock.now(), span?.traceparent ?? delivery.traceparent);
  const answer = await tools.client.post(url, headers, body);
  const { status, error = status !== undefined && status >= 300 ? `HTTP ${status}` : undefined } = answer;
  span?.end({
    error: error === undefined ? undefined : new Error(error),
    attributes: status === undefined ? {} : { 'http.response.status_code': status },
  });
  return answer;
}

const statusOf = { delivered: 'delivered', retry: 'pending', exhausted: 'failed', gone: 'parked' } as const;

/** Sends a delivery once. Never rejects: errors are part of the result. */
export async function attempt(delivery: DueDelivery, tools: AttemptTools): Promise<Attempted> {
  const startedAt = tools.clock.now();
  const answer = await exchange(delivery, tools);
  const number = delivery.attempt_count + 1;
  // The retry schedule restarts with each series of attempts.
  const facts = {
    number: number - delivery.earlier_attempts,
    status: answer.status,
    error: answer.error,
    retryAfter: answer.retryAfter,
  };
  const verdict = verdictOf(facts, tools.random(), tools.clock.now());
  return {
    verdict,
    result: {
      organizationId: delivery.organization_id,
      deliveryId: delivery.id,
      endpointId: delivery.endpoint_id,
      eventId: delivery.event_id,
      eventType: delivery.event_type,
      number,
      status: statusOf[verdict.kind],
      delayMs: verdict.kind === 'retry' ? verdict.delayMs : undefined,
      startedAt,
      httpStatus: answer.status,
      latencyMs: answer.latencyMs,
      error: verdict.kind === 'delivered' ? undefined : verdict.error,
      responseBody: answer.body,
    },
  };
}
