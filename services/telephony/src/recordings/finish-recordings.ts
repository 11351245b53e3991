import {
  completeUpload,
  discardUpload,
  findUpload,
  listParts,
  lockUpload,
  type UploadFacts,
} from './recording-uploads.sql';
import { unclaim, type UnfinishedRecording } from './unfinished-recordings.cross-tenant.sql';
import { deleteLeftover, listLeftoverFiles } from './recording-files.sql';
import { withoutGap, type RecordingPart } from './recording-parts.rules';
import { fileKey, partKey, RecordingObjectUnreadable } from './recording-store';
import type { Telephony } from '../telephony';
import { digestParts } from './digest-parts';

/** How often a part that is in the table but missing from the store is retried (about five minutes) before the recording is cut before it. */
const failuresBeforeCut = 5;

/**
 * Completes a recording whose worker will not: what it handed in up to the first gap is the recording; where the first part is missing,
 * there is none. This decides only: what lies behind is deleted once that is committed, so that no part is deleted that is of the recording.
 */
export async function closeRecording(telephony: Telephony, recording: UnfinishedRecording): Promise<void> {
  const { db } = telephony;
  const { organizationId, callId } = recording;
  const parts = await listParts(db, organizationId, callId);
  const facts = await loadFacts(telephony, recording, withoutGap(parts));
  await db.transaction(async (tx) => {
    const upload = await lockUpload(tx, organizationId, callId);
    if (upload?.state !== 'taking') return;
    // A part that arrived meanwhile may close the gap.
    if (!isSame(parts, await listParts(tx, organizationId, callId))) return unclaim(tx, recording);
    if (facts === undefined) await discardUpload(tx, organizationId, callId);
    else await completeUpload(tx, organizationId, callId, facts);
  });
  telephony.recordingsWait();
}

/**
 * Deletes the parts and files that are not the recording, which are all parts once there is a file: first their bytes, so that a process that dies
 * meanwhile is repeated from the index.
 */
export async function deleteLeftoverParts(
  { db, recordings }: Telephony,
  { organizationId, callId }: UnfinishedRecording,
): Promise<void> {
  const upload = await findUpload(db, organizationId, callId);
  if (upload === undefined || upload.state === 'taking') return;
  const kept = upload.file === null ? upload.parts : 0;
  const all = await listParts(db, organizationId, callId);
  const parts = all.map(({ part }) => part).filter((part) => part > kept);
  const files = await listLeftoverFiles(db, organizationId, callId);
  for (const part of parts) await recordings.delete(partKey(organizationId, callId, part));
  for (const fileId of files) await recordings.delete(fileKey(organizationId, callId, fileId));
  await deleteLeftover(db, organizationId, callId, { parts, files });
}

/** The totals of the parts, finally only of the readable ones; undefined for none. */
async function loadFacts(
  { recordings }: Telephony,
  { organizationId, callId, failures }: UnfinishedRecording,
  parts: readonly RecordingPart[],
): Promise<UploadFacts | undefined> {
  for (let kept = parts; kept.length > 0;) {
    try {
      return await digestParts(recordings, organizationId, callId, kept);
    } catch (error) {
      // If the store is unreachable, nothing is known about its objects.
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
