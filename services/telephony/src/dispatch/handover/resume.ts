import type { WorkerResume } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { durationOf, sizeOf, withoutGap } from '../recordings/recording-parts.rules';
import { listParts, passUpload } from '../recordings/recording-uploads.sql';
import { readResume } from '../../books';

interface ResumedCall {
  readonly organizationId: string;
  readonly callId: string;
  /** The epoch of the new lease. */
  readonly epoch: string;
}

/** JSON of the state from which a worker continues an adopted call; undefined for a new call. */
export function loadResume(db: Queryable, { organizationId, callId, epoch }: ResumedCall): Promise<string | undefined> {
  return readResume(db, organizationId, callId, () => goOnRecording(db, organizationId, callId, epoch));
}

async function goOnRecording(
  db: Queryable,
  organizationId: string,
  callId: string,
  epoch: string,
): Promise<WorkerResume['recording']> {
  if (!(await passUpload(db, organizationId, callId, epoch))) return null;
  const parts = withoutGap(await listParts(db, organizationId, callId));
  return { parts: parts.length, duration_ms: durationOf(sizeOf(parts)) };
}
