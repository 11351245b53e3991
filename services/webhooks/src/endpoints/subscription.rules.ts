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
 * Checks the scopes required by subscriptions (docs/reference/endpoints-and-events.md#who-subscribes), including sms:read for every sms.* event. `events` may
 * be anything: invalid event types are refused elsewhere. @throws ForbiddenError
 */
export function requireSubscriptionScopes(events: unknown, scopes: readonly string[]): void {
  if (!Array.isArray(events)) return;
  requireScopes(
    scopes,
    eventTypes.flatMap((type) => (events.includes(type) ? (eventAccess[type].subscribe ?? []) : [])),
  );
}

/** Those of a caller's scopes that are stored with an endpoint that it writes: they determine whether the receiver gets full payloads, and sound. */
export const payloadScopesOf = (scopes: readonly string[]): readonly string[] =>
  [...wholePayloadScopes, 'recordings:read'].filter((scope) => scopes.includes(scope));

/**
 * Checks the scopes required to change the destination: both, whatever the endpoint's subscriptions and waiting deliveries
 * (docs/reference/endpoints-and-events.md#destination). @throws ForbiddenError
 */
export function requireDestinationScopes(scopes: readonly string[]): void {
  requireScopes(scopes, destinationScopes);
}
