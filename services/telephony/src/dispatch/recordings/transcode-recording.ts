import { createHash } from 'node:crypto';
import { newId } from '@parley/runtime';
import type { OpusFile, OpusThread } from '@parley/speech';
import { advanceThrough, lockCall, recordSteps } from '../../books';
import type { Telephony } from '../../telephony';
import { waveHeaderOf } from './digest-parts';
import { putFile, releaseFile, renewFile } from './recording-files.sql';
import { durationOf, type RecordingPart } from './recording-parts.rules';
import { failuresBeforeCut, fileKey, partKey, RecordingObjectUnreadable, RecordingStoreFull } from './recording-store';
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

type Needs = Pick<Telephony, 'db' | 'recordings' | 'onCommit' | 'recordingsWait' | 'partRefused'>;

const renewEveryMs = 10_000;

export type FileFormat = RecordingFile['format'];

export const newFileId = (format: FileFormat): string => `${newId('rec')}.${format}`;

/** A recording whose file this process produces under a lease. */
export interface Making extends UnfinishedRecording {
  readonly fileId: string;
  readonly format: FileFormat;
  readonly thread: OpusThread;
  /** Aborted when this process stops. */
  readonly signal: AbortSignal;
}

/**
 * Produces the file of a recording and attaches it to the completed call, once over all replicas. From then on reads use the file, and `call.recording.ready`
 * is published. The file's row is inserted before its bytes are stored, and parts are deleted only after the upload refers to the file. If the process dies in
 * between, the recording is unchanged, and the partial object can be found by its row. If the store has no space for the file, the recording continues to be
 * read from its parts.
 */
export async function transcodeRecording(telephony: Needs, making: Making): Promise<void> {
  const { db, recordings } = telephony;
  const { organizationId, callId, fileId, format } = making;
  const lost = new AbortController();
  const signal = AbortSignal.any([making.signal, lost.signal]);
  const renewing = setInterval(() => {
    renewFile(db, making).then(
      (held) => held || lost.abort(new Error('the lease of the file has expired')),
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
    // Removes what still listens to `signal`.
    lost.abort();
    await releaseFile(db, making).catch(() => {
      // Ignored: the lease expires soon by itself.
    });
    telephony.recordingsWait();
  }
}

/** The bytes of the file and the number of audio bytes in it; undefined if no part can be read. */
async function encode(
  { db, recordings }: Needs,
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
    // While the store is unreachable, it is unknown which objects it contains.
    if (!(error instanceof RecordingObjectUnreadable) || failures < failuresBeforeCut) {
      await file.drop();
      throw error;
    }
  }
  content.push(await file.end());
  if (soundBytes === 0) return undefined;
  // The length is known only after all parts have been read.
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

/** A WAVE file contains the bytes of the parts unchanged. */
const waveFile: OpusFile = {
  write: (sound) => Promise.resolve(sound),
  end: () => Promise.resolve(Buffer.alloc(0)),
  drop: () => Promise.resolve(),
};

interface Made {
  readonly file: RecordingFile;
  readonly soundBytes: number;
}

/** Attaches the file, or without one (`made` undefined) the parts, as the recording of the call. Returns whether the file became the recording. */
async function attach(telephony: Needs, making: Making, made: Made | undefined): Promise<boolean> {
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
    // The call already has another recording, which it keeps.
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

async function discard({ db }: Pick<Telephony, 'db'>, making: Making): Promise<void> {
  const { organizationId, callId } = making;
  await db.transaction(async (tx) => {
    await lockUpload(tx, organizationId, callId);
    if (await renewFile(tx, making)) await discardUpload(tx, organizationId, callId);
  });
}
