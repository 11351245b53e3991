import type { WorkerResume } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { goOnRecording } from '../recordings/go-on';
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
