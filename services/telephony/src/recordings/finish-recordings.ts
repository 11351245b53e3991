import { lockCall, advanceThrough, recordSteps } from '../calls';
import {
  completeUpload,
  deleteLeftover,
  discardUpload,
  findUpload,
  listParts,
  lockUpload,
  readyUpload,
  type UploadFacts,
} from './recording-uploads.sql';
import { unclaim, type UnfinishedRecording } from './unfinished-recordings.cross-tenant.sql';
import { findRecording } from './recordings.sql';
import { withoutGap, type RecordingPart } from './recording-parts.rules';
import { partKey, RecordingObjectUnreadable } from './recording-store';
import type { Telephony } from '../telephony';
import { digestParts } from './digest-parts';

/** So many times a part that the index has and the store has not is looked for, some five minutes, before the recording ends ahead of it. */
const failuresBeforeCut = 5;

/**
 * Attaches a complete recording to its completed call, once over all replicas: from then on it can be read, and `call.recording.ready` says so. A
 * call that was given another recording keeps that one.
 */
export async function attachRecording(telephony: Telephony, recording: UnfinishedRecording): Promise<void> {
  const { organizationId, callId } = recording;
  const attached = await telephony.db.transaction(async (tx) => {
    const locked = await lockCall(tx, organizationId, callId);
    const upload = await lockUpload(tx, organizationId, callId);
    if (locked === undefined || upload?.state !== 'complete' || locked.call.status !== 'completed') return false;
    if ((await findRecording(tx, organizationId, callId)) !== undefined) {
      await discardUpload(tx, organizationId, callId);
      return false;
    }
    const { call, now } = locked;
    await readyUpload(tx, organizationId, callId, now);
    await recordSteps(tx, call, advanceThrough(call, [['attach_recording', { at: now }]]), now);
    return true;
  });
  if (attached) telephony.committed(false);
}

/**
 * Completes a recording whose worker will not: what it handed in up to the first gap is the recording; where the first part is missing,
 * there is none. This decides only: what lies behind is deleted once that is committed, so that no part is deleted that is of the recording.
 */
export async function closeRecording(telephony: Telephony, recording: UnfinishedRecording): Promise<void> {
  const { db } = telephony;
  const { organizationId, callId } = recording;
  const parts = await listParts(db, organizationId, callId);
  const facts = await factsOf(telephony, recording, withoutGap(parts));
  await db.transaction(async (tx) => {
    const upload = await lockUpload(tx, organizationId, callId);
    if (upload?.state !== 'taking') return;
    // One that came meanwhile may close the gap.
    if (!isSame(parts, await listParts(tx, organizationId, callId))) return unclaim(tx, recording);
    if (facts === undefined) await discardUpload(tx, organizationId, callId);
    else await completeUpload(tx, organizationId, callId, facts);
  });
}

/** Deletes the parts behind the last one: first their bytes, so that a process that dies meanwhile is repeated from the index. */
export async function deleteLeftoverParts(
  { db, recordings }: Telephony,
  { organizationId, callId }: UnfinishedRecording,
): Promise<void> {
  const upload = await findUpload(db, organizationId, callId);
  if (upload === undefined || upload.state === 'taking') return;
  for (const { part } of await listParts(db, organizationId, callId)) {
    if (part > upload.parts) await recordings.delete(partKey(organizationId, callId, part));
  }
  await deleteLeftover(db, organizationId, callId);
}

/** Of the parts, or in the end of those that can be read; undefined for none. */
async function factsOf(
  { recordings }: Telephony,
  { organizationId, callId, failures }: UnfinishedRecording,
  parts: readonly RecordingPart[],
): Promise<UploadFacts | undefined> {
  for (let kept = parts; kept.length > 0;) {
    try {
      return await digestParts(recordings, organizationId, callId, kept);
    } catch (error) {
      // A store that cannot be reached says nothing of its objects.
      if (!(error instanceof RecordingObjectUnreadable) || failures < failuresBeforeCut) throw error;
      kept = kept.slice(
        0,
        Math.max(
          0,
          kept.findIndex(({ part }) => partKey(organizationId, callId, part) === error.key),
        ),
      );
    }
  }
  return undefined;
}

const isSame = (some: readonly RecordingPart[], others: readonly RecordingPart[]): boolean =>
  some.length === others.length &&
  some.every(({ part, stored }, place) => others[place]?.part === part && others[place].stored === stored);
