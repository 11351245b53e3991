import { conflict, notFound } from '@parley/errors';
import type { Database } from '@parley/runtime';
import type { Call } from '../calls/call.rules';
import { lockCallAndJob } from './held-job';
import * as leases from './leases.cross-tenant.sql';

/**
 * Assigns the line of an outbound call whose worker has the permit to dial to a media gateway. The first gateway keeps it.
 * @throws NotFoundError, also for an incoming call; ConflictError if the call is neither being dialed nor in progress
 */
export function takeOutboundLine(db: Database, organizationId: string, callId: string, gateway: string): Promise<Call> {
  return db.transaction(async (tx) => {
    const held = await lockCallAndJob(tx, organizationId, callId);
    if (held?.call.direction !== 'outbound') throw notFound('call');
    const { job, call } = held;
    if (job?.state !== 'leased' || !job.permitted) throw conflict(`the call is ${call.status}`);
    await leases.takeOutboundLine(tx, job.jobId, gateway);
    return call;
  });
}

/** The gateway that took the line of an outbound call; undefined if none did. */
export const gatewayOfLine = (db: Database, organizationId: string, callId: string): Promise<string | undefined> =>
  leases.lineTakenBy(db, organizationId, callId);
