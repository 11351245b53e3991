import type { Queryable } from '@parley/runtime';
import { loseJob, type LockedJob } from '../queue';
import { lineToHandOver, noteLost } from './call-snapshots.sql';

/** After this time the carrier is asked to connect the line again, where it did not ask what follows by itself. */
const askSeconds = 5;

/**
 * Takes a leased job from its worker, so that another one goes on with the call: from here on everything that the first one sends is stale. `none`: the call
 * cannot be connected again, or has no snapshot, and nothing changed; `closed`: its line is closed. The caller holds the job's lock.
 * @param silent the carrier does not know of it: it is asked to connect the line again at once
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
