import type { Queryable } from '@parley/runtime';
import { durationOf, sizeOf, withoutGap } from './recording-parts.rules';
import { listParts, passUpload } from './recording-uploads.sql';

/**
 * Assigns the upload of a call's recording to the lease of another worker, which continues it. Parts without stored bytes are deleted, because the worker
 * reuses their numbers. Null: there is no recording.
 */
export async function goOnRecording(
  db: Queryable,
  organizationId: string,
  callId: string,
  epoch: string,
): Promise<{ readonly parts: number; readonly durationMs: number } | null> {
  if (!(await passUpload(db, organizationId, callId, epoch))) return null;
  const parts = withoutGap(await listParts(db, organizationId, callId));
  return { parts: parts.length, durationMs: durationOf(sizeOf(parts)) };
}
