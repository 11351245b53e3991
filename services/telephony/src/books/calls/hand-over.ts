import type { WorkerResume } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { LockedJob } from '../queue/job.rules';
import { loseJob } from '../queue/leases.cross-tenant.sql';
import { findKnown, lineToHandOver, noteLost, putSnapshot } from './call-snapshots.sql';
import { conflict } from '@parley/errors';
import { countTurns, putTurns, type ReportedTurns } from './call-turns.sql';

/** Whether another worker can continue a call: its line is open, and enough is known of it. */
export async function canBeHandedOver(tx: Queryable, organizationId: string, callId: string): Promise<boolean> {
  return (await lineToHandOver(tx, organizationId, callId)) === 'open';
}

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

/**
 * JSON of the state from which another worker continues a call: WorkerResume; undefined for a call that was not answered.
 * @param recording continues the call's recording
 */
export async function readResume(
  db: Queryable,
  organizationId: string,
  callId: string,
  recording: () => Promise<WorkerResume['recording']>,
): Promise<string | undefined> {
  const known = await findKnown(db, organizationId, callId);
  if (known === undefined) return undefined;
  const head = {
    elapsed_ms: known.elapsedMs,
    tool_calls: known.tools as WorkerResume['tool_calls'],
    recording: await recording(),
  } satisfies Partial<WorkerResume>;
  // Turns and snapshot may have many KB: their stored JSON is inserted as text, without parsing it.
  const rest = `"snapshot":${known.snapshot ?? 'null'},"turns":[${known.turns.join(',')}]`;
  return `${JSON.stringify(head).slice(0, -1)},${rest}}`;
}

/**
 * Stores what the worker of a call reports while the call lasts. The caller has locked the call's job.
 * @param snapshot JSON; undefined: the latest one remains @throws ConflictError if turns before the first one are missing
 */
export async function keepTurns(
  tx: Queryable,
  organizationId: string,
  { snapshot, ...reported }: ReportedTurns & { readonly snapshot: string | undefined },
): Promise<void> {
  const { callId, first } = reported;
  if (first > (await countTurns(tx, organizationId, callId))) throw conflict('turns before the first one are missing');
  await putTurns(tx, organizationId, reported);
  if (snapshot !== undefined) await putSnapshot(tx, organizationId, callId, snapshot);
}
