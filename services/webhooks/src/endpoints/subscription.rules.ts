import {
  defaultEventTypes,
  destinationScopes,
  eventAccess,
  eventTypes,
  wholePayloadScopes,
  type EventType,
} from '@parley/contract';
import { missingScope } from '@parley/errors';

/** What an endpoint is subscribed to when it is created (docs/reference/endpoints-and-events.md#default-subscription). */
export function subscriptionAtCreation(events: readonly EventType[] | undefined): readonly EventType[] {
  return events === undefined || events.length === 0 ? defaultEventTypes : events;
}

function requireScopes(scopes: readonly string[], required: readonly string[]): void {
  const missing = required.find((scope) => !scopes.includes(scope));
  if (missing !== undefined) throw missingScope(missing);
}

/** docs/reference/endpoints-and-events.md#who-subscribes, and sms:read for every sms.*. `events` may hold anything: what is no event type is refused elsewhere. ForbiddenError. */
export function requireSubscriptionScopes(events: unknown, scopes: readonly string[]): void {
  if (!Array.isArray(events)) return;
  requireScopes(
    scopes,
    eventTypes.flatMap((type) => (events.includes(type) ? (eventAccess[type].subscribe ?? []) : [])),
  );
}

/** What is kept of a caller's scopes with the endpoint that it writes: those that decide whether payloads are whole. */
export const payloadScopesOf = (scopes: readonly string[]): readonly string[] =>
  wholePayloadScopes.filter((scope) => scopes.includes(scope));

/** docs/reference/endpoints-and-events.md#destination: both scopes, whatever the endpoint is subscribed to and whatever waits for it. ForbiddenError. */
export function requireDestinationScopes(scopes: readonly string[]): void {
  requireScopes(scopes, destinationScopes);
}
