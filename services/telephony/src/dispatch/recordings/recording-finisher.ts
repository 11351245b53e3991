import { Counter } from 'prom-client';
import { poller, type Logger, type Poller, type Registry } from '@parley/runtime';
import type { Telephony } from '../../telephony';
import {
  anyUnfinished,
  claimAbandoned,
  claimLeftover,
  type UnfinishedRecording,
  unclaim,
} from './unfinished-recordings.cross-tenant.sql';
import {
  completeUpload,
  discardUpload,
  findUpload,
  listParts,
  lockUpload,
  type UploadFacts,
} from './recording-uploads.sql';
import { deleteLeftover, listLeftoverFiles } from './recording-files.sql';
import { withoutGap, type RecordingPart } from './recording-parts.rules';
import { failuresBeforeCut, fileKey, partKey, RecordingObjectUnreadable } from './recording-store';
import { digestParts } from './digest-parts';

const batch = 16;

/** Completes recordings whose worker was lost, and deletes parts and files that belong to no recording. */
export function createRecordingFinisher(
  telephony: Pick<Telephony, 'db' | 'recordings' | 'settings' | 'recordingsWait'>,
  log: Logger,
): Poller {
  const { db, settings } = telephony;
  const each = async (
    claim: () => Promise<UnfinishedRecording | undefined>,
    finish: (needs: typeof telephony, recording: UnfinishedRecording) => Promise<void>,
  ): Promise<void> => {
    // One after another, because each may require reading a whole recording. After a failure, the recording is claimed again later.
    for (let count = 0; count < batch; count += 1) {
      const recording = await claim();
      if (recording === undefined) return;
      await finish(telephony, recording).catch((error: unknown) => {
        log.error({ err: error, call_id: recording.callId }, 'a recording could not be finished');
      });
    }
  };
  const run = async (): Promise<void> => {
    if (!(await anyUnfinished(db))) return;
    await each(() => claimAbandoned(db, settings.recordingGraceSeconds), closeRecording);
    await each(() => claimLeftover(db), deleteLeftoverParts);
  };
  return poller({ name: 'recording-finisher', everyMs: 1_000, run, log });
}

/** All labels are initialized, so that alerts find the series before the first part is refused. */
export function partsRefusedMeter(registry: Registry) {
  const meter = new Counter({
    name: 'parley_recording_parts_rejected_total',
    help: 'Parts and files of recordings that the store did not accept, because it was full or could not be reached',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of ['full', 'unavailable']) meter.inc({ reason }, 0);
  return meter;
}

type Needs = Pick<Telephony, 'db' | 'recordings' | 'recordingsWait'>;

/**
 * Completes a recording that its worker will not complete. The recording consists of the uploaded parts up to the first gap; without a first part there is no
 * recording. This function only writes that decision; the remaining parts are deleted after its commit, so that no part of the recording can be deleted.
 */
async function closeRecording(telephony: Needs, recording: UnfinishedRecording): Promise<void> {
  const { db } = telephony;
  const { organizationId, callId } = recording;
  const parts = await listParts(db, organizationId, callId);
  const facts = await loadFacts(telephony, recording, withoutGap(parts));
  await db.transaction(async (tx) => {
    const upload = await lockUpload(tx, organizationId, callId);
    if (upload?.state !== 'taking') return;
    // A part that arrived in the meantime may have closed the gap.
    if (!isSame(parts, await listParts(tx, organizationId, callId))) return unclaim(tx, recording);
    if (facts === undefined) await discardUpload(tx, organizationId, callId);
    else await completeUpload(tx, organizationId, callId, facts);
  });
  telephony.recordingsWait();
}

/**
 * Deletes the parts and files that do not belong to the recording; once there is a file, these are all parts. The bytes are deleted before the rows, so that
 * the deletion can be repeated from the table if the process dies in between.
 */
async function deleteLeftoverParts(
  { db, recordings }: Needs,
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

/** The totals of the parts; after enough failures, only of those that can be read. Undefined if there are none. */
async function loadFacts(
  { recordings }: Pick<Telephony, 'recordings'>,
  { organizationId, callId, failures }: UnfinishedRecording,
  parts: readonly RecordingPart[],
): Promise<UploadFacts | undefined> {
  for (let kept = parts; kept.length > 0;) {
    try {
      return await digestParts(recordings, organizationId, callId, kept);
    } catch (error) {
      // While the store is unreachable, it is unknown which objects it contains.
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
