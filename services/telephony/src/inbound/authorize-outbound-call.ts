import { conflict, notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { lockCall, type Call, organizationOfCall } from '../calls';
import { lockJobOfCall, takeOutboundLine } from '../queue';
import type { GatewayLine } from './gateway-call';

/**
 * Gives the line of an outbound call to the hosted gateway, which reports what happens on it from then on. Its worker holds the permit to dial by then.
 * Repeated, it changes nothing.
 * @throws NotFoundError for an incoming call too; ConflictError where the call is not being dialled or talked
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
