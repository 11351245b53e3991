import { lockCall } from '../../db/calls';
import {
  completeUpload,
  deletePartsAfter,
  deleteUpload,
  listParts,
  lockUpload,
  readyUpload,
} from '../../db/recording-uploads';
import type { UnfinishedRecording } from '../../db/jobs/unfinished-recordings';
import { findRecording } from '../../db/recordings';
import { advanceThrough } from '../../domain/call-transitions';
import { withoutGap, type RecordingPart } from '../../domain/recording-parts';
import { partKey } from '../../recording-stores/recording-store';
import { recordSteps } from '../record-steps';
import type { Telephony } from '../telephony';
import { digestParts } from './digest-parts';

/**
 * Attaches a complete recording to its completed call, once over all replicas: from then on it can be read, and `call.recording.ready` says so. A
 * call that was given another recording keeps that one.
 */
export async function attachRecording(telephony: Telephony, recording: UnfinishedRecording): Promise<void> {
  const { organizationId, callId } = recording;
  const attached = await telephony.db.transaction(async (tx) => {
    const locked = await lockCall(tx, organizationId, callId);
    const upload = await lockUpload(tx, organizationId, callId);
    if (locked === undefined || upload?.state !== 'complete' || locked.call.status !== 'completed') return true;
    if ((await findRecording(tx, organizationId, callId)) !== undefined) return false;
    const { call, now } = locked;
    await readyUpload(tx, organizationId, callId, now);
    await recordSteps(tx, call, advanceThrough(call, [['attach_recording', { at: now }]]), now);
    return true;
  });
  if (!attached) return discard(telephony, recording);
  telephony.committed(false);
}

/**
 * Completes a recording whose worker will not: what it handed in up to the first gap is the recording. What lies behind a gap is deleted;
 * where the first part is missing, all of it.
 */
export async function closeRecording(telephony: Telephony, recording: UnfinishedRecording): Promise<void> {
  const { db, recordings } = telephony;
  const { organizationId, callId } = recording;
  const parts = await listParts(db, organizationId, callId);
  const kept = withoutGap(parts);
  if (kept.length === 0) return discard(telephony, recording);
  const facts = await digestParts(recordings, organizationId, callId, kept);
  await deleteParts(telephony, recording, parts.slice(kept.length));
  await db.transaction(async (tx) => {
    const upload = await lockUpload(tx, organizationId, callId);
    // One that came meanwhile is looked at the next time.
    if (upload?.state !== 'taking' || !isSame(parts, await listParts(tx, organizationId, callId))) return;
    await deletePartsAfter(tx, organizationId, callId, kept.length);
    await completeUpload(tx, organizationId, callId, facts);
  });
}

async function discard(telephony: Telephony, recording: UnfinishedRecording): Promise<void> {
  const { organizationId, callId } = recording;
  await deleteParts(telephony, recording, await listParts(telephony.db, organizationId, callId));
  await deleteUpload(telephony.db, organizationId, callId);
}

/** Their bytes; the index still has them, so that a process that dies meanwhile is repeated. */
async function deleteParts(
  { recordings }: Telephony,
  { organizationId, callId }: UnfinishedRecording,
  parts: readonly RecordingPart[],
): Promise<void> {
  for (const { part } of parts) await recordings.delete(partKey(organizationId, callId, part));
}

const isSame = (some: readonly RecordingPart[], others: readonly RecordingPart[]): boolean =>
  some.length === others.length &&
  some.every(({ part, stored }, place) => others[place]?.part === part && others[place].stored === stored);
