import {
  defaultEventTypes,
  destinationScopes,
  eventAccess,
  eventTypes,
  wholePayloadScopes,
  type EventType,
} from '@parley/contract';
import { missingScope } from '@parley/errors';

/** The subscriptions of a new endpoint (docs/reference/endpoints-and-events.md#default-subscription). */
export function subscriptionAtCreation(events: readonly EventType[] | undefined): readonly EventType[] {
  return events === undefined || events.length === 0 ? defaultEventTypes : events;
}

function requireScopes(scopes: readonly string[], required: readonly string[]): void {
  const missing = required.find((scope) => !scopes.includes(scope));
  if (missing !== undefined) throw missingScope(missing);
}

/**
 * docs/reference/endpoints-and-events.md#who-subscribes, and sms:read for every sms.*. `events` may contain anything: invalid event types are refused
 * elsewhere. ForbiddenError.
 */
export function requireSubscriptionScopes(events: unknown, scopes: readonly string[]): void {
  if (!Array.isArray(events)) return;
  requireScopes(
    scopes,
    eventTypes.flatMap((type) => (events.includes(type) ? (eventAccess[type].subscribe ?? []) : [])),
  );
}

/** The scopes of a caller stored with the endpoint it writes: those that determine whether payloads are complete. */
export const payloadScopesOf = (scopes: readonly string[]): readonly string[] =>
  wholePayloadScopes.filter((scope) => scopes.includes(scope));

/** docs/reference/endpoints-and-events.md#destination: both scopes, whatever the endpoint's subscriptions and waiting deliveries. ForbiddenError. */
export function requireDestinationScopes(scopes: readonly string[]): void {
  requireScopes(scopes, destinationScopes);
}
