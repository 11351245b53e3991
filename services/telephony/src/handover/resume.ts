import type { WorkerResume } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { goOnRecording } from '../recordings';
import { findKnown } from './call-snapshots.sql';

interface ResumedCall {
  readonly organizationId: string;
  readonly callId: string;
  /** Of the lease that begins. */
  readonly epoch: string;
}

/** JSON of what a worker goes on from that has just adopted a call; undefined where the call begins. */
export async function resumeOf(
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
  // Turns and snapshot are documents of many KB: their text goes in as it is.
  const rest = `"snapshot":${known.snapshot ?? 'null'},"turns":[${known.turns.join(',')}]`;
  return `${JSON.stringify(head).slice(0, -1)},${rest}}`;
}
