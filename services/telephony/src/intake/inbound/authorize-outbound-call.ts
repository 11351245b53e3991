import { conflict, notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { lockCall, type Call, organizationOfCall, lockJobOfCall, takeOutboundLine } from '../../books';
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
  return db.transaction(async (tx) => {
    const job = await lockJobOfCall(tx, organizationId, callId);
    const locked = await lockCall(tx, organizationId, callId);
    if (locked === undefined || locked.call.direction !== 'outbound') throw notFound('call');
    const { call } = locked;
    if (job?.state !== 'leased' || !job.permitted) throw conflict(`the call is ${call.status}`);
    await takeOutboundLine(tx, job.jobId, gateway.router);
    return call;
  });
}
