import type { Telephony } from '../../telephony';
import type { LeaseRequest } from './job.rules';
import { extendLeases } from './leases.cross-tenant.sql';

export interface LeaseState extends LeaseRequest {
  readonly state: 'held' | 'lost';
  readonly cancelRequested: boolean;
}

/** Extends a worker's leases; returns for each, in order, whether the worker still has it. */
export async function heartbeat(
  { db, settings }: Pick<Telephony, 'db' | 'settings'>,
  organizationId: string,
  leases: readonly LeaseRequest[],
): Promise<LeaseState[]> {
  const held = await extendLeases(db, organizationId, leases, settings.leaseSeconds);
  const byJob = new Map(held.map((lease) => [`${lease.jobId} ${lease.epoch}`, lease]));
  return leases.map(({ jobId, epoch }) => {
    const lease = byJob.get(`${jobId} ${epoch}`);
    return {
      jobId,
      epoch,
      state: lease === undefined ? 'lost' : 'held',
      cancelRequested: lease?.cancelRequested ?? false,
    };
  });
}
