import { eventAccess, isEventType, withheldEventFields } from '@parley/contract';

/**
 * The payload of an event for who holds these scopes: the exact text that was published, or the same event whose `data` leaves out
 * variables, metadata and numbers where the scope of its resource is missing. Equal scopes give equal bytes.
 */
export function payloadFor(type: string, payload: string, scopes: readonly string[]): string {
  const whole = isEventType(type) ? eventAccess[type].whole : null;
  if (whole === null || scopes.includes(whole)) return payload;
  const event = JSON.parse(payload) as Record<string, unknown>;
  return JSON.stringify({ ...event, data: without(event['data']) });
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !withheldEventFields.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner)]));
}
