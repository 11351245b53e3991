import type { Queryable } from '@parley/runtime';
import { lineToHandOver, noteLost } from './call-snapshots.sql';
import { type LockedJob, loseJob } from '../queue/leases.cross-tenant.sql';

/** After this time the carrier is instructed to reconnect the line, unless it has requested instructions itself. */
const askSeconds = 5;

/**
 * Takes a leased job from its worker, so that another worker can continue the call; from now on the first worker's requests are stale. `none`: the call cannot
 * be reconnected or has no snapshot, and nothing has changed; `closed`: its line is closed. The caller has locked the job.
 * @param silent the carrier is not aware that the worker is lost: it is instructed to reconnect the line at once
 */
export async function loseWorker(
  tx: Queryable,
  { state, cancelRequested, organizationId, callId, jobId }: LockedJob,
  silent = false,
): Promise<'lost' | 'closed' | 'none'> {
  if (state !== 'leased' || cancelRequested) return 'none';
  const line = await lineToHandOver(tx, organizationId, callId);
  if (line !== 'open') return line;
  await loseJob(tx, jobId);
  await noteLost(tx, organizationId, callId, silent ? 0 : askSeconds);
  return 'lost';
}
