import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { type Call, organizationOfCall, takeOutboundLine } from '../../books';
import type { GatewayLine } from './gateway-call';

/**
 * Assigns the line of an outbound call to the hosted gateway, which reports the events of the line from then on. The call's worker already has the permit to
 * dial. Repeating the request changes nothing.
 * @throws NotFoundError, also for an incoming call; ConflictError if the call is neither being dialed nor in progress
 */
export async function authorizeOutboundCall(
  db: Database,
  { organizationId: named, callId, gateway }: GatewayLine,
): Promise<Call> {
  const organizationId = isId('call', callId) ? await organizationOfCall(db, named, callId) : '';
  if (organizationId === '') throw notFound('call');
  return takeOutboundLine(db, organizationId, callId, gateway.router);
}
