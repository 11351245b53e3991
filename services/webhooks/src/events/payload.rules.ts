import { eventAccess, isEventType, withheldEventFields } from '@parley/contract';

/**
 * The payload of an event for a receiver with these scopes: the exact published text, or, if the scope of its resource is missing, the same event without
 * variables, metadata and numbers in `data`. Equal scopes result in equal bytes.
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
