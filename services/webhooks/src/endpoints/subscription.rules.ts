import { defaultEventTypes, destinationScopes, subscriptionScopes, type EventType } from '@parley/contract';
import { missingScope } from '@parley/errors';

/** What an endpoint is subscribed to when it is created (section 6 rule 1). */
export function subscriptionAtCreation(events: readonly EventType[] | undefined): readonly EventType[] {
  return events === undefined || events.length === 0 ? defaultEventTypes : events;
}

function requireScopes(scopes: readonly string[], required: readonly string[]): void {
  const missing = required.find((scope) => !scopes.includes(scope));
  if (missing !== undefined) throw missingScope(missing);
}

/** Section 6 rule 3. `events` may hold anything: what is no event type is refused elsewhere. ForbiddenError. */
export function requireSubscriptionScopes(events: unknown, scopes: readonly string[]): void {
  if (!Array.isArray(events)) return;
  const required = Object.entries(subscriptionScopes).filter(([type]) => events.includes(type));
  requireScopes(
    scopes,
    required.map(([, scope]) => scope),
  );
}

/** Section 6 rule 4: both scopes, whatever the endpoint is subscribed to and whatever waits for it. ForbiddenError. */
export function requireDestinationScopes(scopes: readonly string[]): void {
  requireScopes(scopes, destinationScopes);
}
