import { createHash } from 'node:crypto';
import { newId } from '@parley/runtime';
import type { OpusFile, OpusThread } from '@parley/speech';
import { advanceThrough, lockCall, recordSteps } from '../calls';
import type { Telephony } from '../telephony';
import { waveHeaderOf } from './digest-parts';
import { putFile, releaseFile, renewFile } from './recording-files.sql';
import { durationOf, type RecordingPart } from './recording-parts.rules';
import { fileKey, partKey, RecordingObjectUnreadable, RecordingStoreFull } from './recording-store';
import {
  discardUpload,
  findUpload,
  listParts,
  lockUpload,
  readyUpload,
  type RecordingFile,
} from './recording-uploads.sql';
import { findRecording } from './recordings.sql';
import type { UnfinishedRecording } from './unfinished-recordings.cross-tenant.sql';

/** How often a part that is in the table but missing from the store is retried (about five minutes) before the recording is cut before it. */
const failuresBeforeCut = 5;

const renewEveryMs = 10_000;

export type FileFormat = RecordingFile['format'];

export const newFileId = (format: FileFormat): string => `${newId('rec')}.${format}`;

/** A recording whose file this process is producing, under a lease. */
export interface Making extends UnfinishedRecording {
  readonly fileId: string;
  readonly format: FileFormat;
  readonly thread: OpusThread;
  /** Aborted when this process stops. */
  readonly signal: AbortSignal;
}

/**
 * Makes the file of a recording and attaches it to its completed call, once over all replicas: from then on it is read, and `call.recording.ready` says so. The row of the file is there before its bytes, and
 * parts go after the index names the file: what dies on the way leaves the recording as it was, and an object that is found by its row. A store without room for it leaves the recording to be read from its parts.
 */
export async function transcodeRecording(telephony: Telephony, making: Making): Promise<void> {
  const { db, recordings } = telephony;
  const { organizationId, callId, fileId, format } = making;
  const lost = new AbortController();
  const signal = AbortSignal.any([making.signal, lost.signal]);
  const renewing = setInterval(() => {
    renewFile(db, making).then(
      (held) => held || lost.abort(new Error('the lease of the file is over')),
      (error: unknown) => lost.abort(error),
    );
  }, renewEveryMs);
  try {
    const made = await encode(telephony, making, signal);
    if (made === undefined) return await discard(telephony, making);
    const { content, soundBytes } = made;
    const key = fileKey(organizationId, callId, fileId);
    await recordings.putOnce(key, content, signal);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const file = { fileId, format, sizeBytes: content.length, sha256 };
    if (!(await attach(telephony, making, { file, soundBytes }))) await recordings.delete(key);
  } catch (error) {
    if (!(error instanceof RecordingStoreFull)) throw error;
    telephony.partRefused('full');
    await attach(telephony, making, undefined);
    throw error;
  } finally {
    clearInterval(renewing);
    await releaseFile(db, making).catch(() => {
      // It expires by itself soon.
    });
    telephony.recordingsWait();
  }
}

/** The bytes of the file, and the number of audio bytes in it; undefined if no part is readable. */
async function encode(
  { db, recordings }: Telephony,
  { organizationId, callId, failures, format, thread }: Making,
  signal: AbortSignal,
): Promise<{ readonly content: Buffer; readonly soundBytes: number } | undefined> {
  const upload = await findUpload(db, organizationId, callId);
  const parts = (await listParts(db, organizationId, callId)).slice(0, upload?.parts ?? 0);
  const file = format === 'ogg' ? thread.file() : waveFile;
  const content: Buffer[] = [];
  let soundBytes = 0;
  try {
    for (const part of parts) {
      signal.throwIfAborted();
      const sound = await decodeSound(recordings, { organizationId, callId, part });
      content.push(await file.write(sound));
      soundBytes += sound.length;
    }
  } catch (error) {
    // If the store is unreachable, nothing is known about its objects.
    if (!(error instanceof RecordingObjectUnreadable) || failures < failuresBeforeCut) {
      await file.drop();
      throw error;
    }
  }
  content.push(await file.end());
  if (soundBytes === 0) return undefined;
  // The length is known only after all parts were read.
  if (format === 'wav') content.unshift(waveHeaderOf(soundBytes));
  return { content: Buffer.concat(content), soundBytes };
}

async function decodeSound(
  recordings: Telephony['recordings'],
  {
    organizationId,
    callId,
    part,
  }: { readonly organizationId: string; readonly callId: string; readonly part: RecordingPart },
): Promise<Buffer> {
  const key = partKey(organizationId, callId, part.part);
  const sound = await recordings.read(key, 0, part.sizeBytes);
  if (createHash('sha256').update(sound).digest('hex') !== part.sha256)
    throw new RecordingObjectUnreadable(key, 'is damaged');
  return sound;
}

/** The parts are the audio data unchanged. */
const waveFile: OpusFile = {
  write: (sound) => Promise.resolve(sound),
  end: () => Promise.resolve(Buffer.alloc(0)),
  drop: () => Promise.resolve(),
};

interface Made {
  readonly file: RecordingFile;
  readonly soundBytes: number;
}

/** @param made undefined: the recording is read from its parts. Returns whether the file became the recording */
async function attach(telephony: Telephony, making: Making, made: Made | undefined): Promise<boolean> {
  const { organizationId, callId } = making;
  const { isKept, isNew } = await telephony.db.transaction(async (tx) => {
    const no = { isKept: false, isNew: false };
    const locked = await lockCall(tx, organizationId, callId);
    const upload = await lockUpload(tx, organizationId, callId);
    if (locked === undefined || upload === undefined || upload.file !== null || !(await renewFile(tx, making)))
      return no;
    const wasComplete = upload.state === 'complete';
    if (!wasComplete && upload.state !== 'ready') return no;
    const { call, now } = locked;
    // A call that was assigned another recording keeps that one.
    if (wasComplete && (await findRecording(tx, organizationId, callId)) !== undefined) {
      await discardUpload(tx, organizationId, callId);
      return no;
    }
    if (made === undefined) {
      if (wasComplete) await readyUpload(tx, organizationId, callId, now);
    } else {
      const sound = { sizeBytes: made.soundBytes, durationMs: durationOf(made.soundBytes) };
      await putFile(tx, organizationId, callId, made.file, sound, now);
    }
    if (wasComplete) await recordSteps(tx, call, advanceThrough(call, [['attach_recording', { at: now }]]), now);
    return { isKept: made !== undefined, isNew: wasComplete };
  });
  if (isNew) telephony.onCommit(false);
  return isKept;
}

async function discard({ db }: Telephony, making: Making): Promise<void> {
  const { organizationId, callId } = making;
  await db.transaction(async (tx) => {
    await lockUpload(tx, organizationId, callId);
    if (await renewFile(tx, making)) await discardUpload(tx, organizationId, callId);
  });
}
