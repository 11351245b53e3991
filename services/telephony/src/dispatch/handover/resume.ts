import type { WorkerResume } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { durationOf, sizeOf, withoutGap } from '../recordings/recording-parts.rules';
import { listParts, passUpload } from '../recordings/recording-uploads.sql';
import { findKnown } from '../../books';

interface ResumedCall {
  readonly organizationId: string;
  readonly callId: string;
  /** The epoch of the new lease. */
  readonly epoch: string;
}

/** JSON of the state from which a worker continues an adopted call; undefined for a new call. */
export async function loadResume(
  db: Queryable,
  { organizationId, callId, epoch }: ResumedCall,
): Promise<string | undefined> {
  const known = await findKnown(db, organizationId, callId);
  if (known === undefined) return undefined;
  const recording = await goOnRecording(db, organizationId, callId, epoch);
  const head = {
    elapsed_ms: known.elapsedMs,
    tool_calls: known.tools as WorkerResume['tool_calls'],
    recording: recording && { parts: recording.parts, duration_ms: recording.durationMs },
  } satisfies Partial<WorkerResume>;
  // Turns and snapshot may have many KB: their stored JSON is inserted as text, without parsing it.
  const rest = `"snapshot":${known.snapshot ?? 'null'},"turns":[${known.turns.join(',')}]`;
  return `${JSON.stringify(head).slice(0, -1)},${rest}}`;
}

/**
 * Assigns the upload of a call's recording to the lease of another worker, which continues it. Parts without stored bytes are deleted, because the worker
 * reuses their numbers. Null: there is no recording.
 */
async function goOnRecording(
  db: Queryable,
  organizationId: string,
  callId: string,
  epoch: string,
): Promise<{ readonly parts: number; readonly durationMs: number } | null> {
  if (!(await passUpload(db, organizationId, callId, epoch))) return null;
  const parts = withoutGap(await listParts(db, organizationId, callId));
  return { parts: parts.length, durationMs: durationOf(sizeOf(parts)) };
}
