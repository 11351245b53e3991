import { createHash } from 'node:crypto';
import { inlineRecordingBytes, limits, type RecordingFormat } from '@parley/contract';
import { conflict, internal, notFound } from '@parley/errors';
import { muLawWaveHeaderBytes, OpusThread } from '@parley/speech';
import type { PublicResult } from '@parley/service';
import { findUpload, listParts, type RecordingFile, type RecordingUpload } from './recording-uploads.sql';
import { findRecording } from './recordings.sql';
import { type Call, getCall } from '../../books';
import { placeIn } from './recording-parts.rules';
import { fileKey, partKey } from './recording-store';
import type { Telephony } from '../../telephony';
import { waveHeaderOf } from './digest-parts';

type Needs = Pick<Telephony, 'db' | 'recordings'>;

/** A recording, independent of where its bytes are stored. */
interface StoredRecording {
  readonly format: string;
  readonly durationMs: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly createdAt: Date;
  /** Returns between one and `most` bytes starting at offset `from`. */
  read(from: number, most: number): Promise<Buffer>;
  /** The same audio as WAVE, if the stored format is another one that can be converted. */
  readonly asWave?: StoredRecording;
}

/** JSON of RecordingRecord. @throws NotFoundError also if there is no recording yet, and for a call that is not recorded */
export async function getRecording(telephony: Needs, named: string, callId: string): Promise<PublicResult> {
  const call = await getCall(telephony.db, named, callId);
  const recording = await storedRecording(telephony, call);
  if (recording === undefined) throw notFound('recording');
  const { format, sizeBytes } = recording;
  const body = JSON.stringify({
    call_id: call.callId,
    format,
    simulated: format === 'simulated',
    duration_ms: recording.durationMs,
    size_bytes: sizeBytes,
    sha256: recording.sha256,
    data: sizeBytes > inlineRecordingBytes ? null : (await whole(recording)).toString('base64'),
    created_at: recording.createdAt.toISOString(),
  });
  return { body, etag: `"${call.callId}.recording"` };
}

const mediaTypes: Readonly<Record<Exclude<RecordingFormat, 'simulated'>, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
};

export interface AudioPiece {
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
  readonly content: Buffer;
}

export interface WantedAudio {
  readonly callId: string;
  readonly from: number;
  readonly most: number;
  /** Empty for the stored format. */
  readonly format: string;
}

/**
 * Reads at most `most` bytes of a recording from an offset.
 * @throws NotFoundError also if there is no recording yet, and for a simulated recording, which contains no audio; ConflictError if the recording cannot be
 * converted to WAVE
 */
export async function readAudio(
  telephony: Needs,
  named: string,
  { callId, from, most, format: asked }: WantedAudio,
): Promise<AudioPiece> {
  const call = await getCall(telephony.db, named, callId);
  const stored = await storedRecording(telephony, call);
  if (stored === undefined || stored.format === 'simulated') throw notFound('recording');
  const recording = asked === 'wav' && stored.format !== 'wav' ? stored.asWave : stored;
  if (recording === undefined)
    throw conflict(`the recording was uploaded as ${stored.format} and is not available as wav`);
  const { format, sizeBytes: size, sha256 } = recording;
  const wanted = Math.min(most, limits.recordingPartBytes, size - from);
  const content = wanted > 0 ? await recording.read(from, wanted) : Buffer.alloc(0);
  return { mediaType: mediaTypes[format as keyof typeof mediaTypes], size, sha256, content };
}

async function storedRecording(
  { db, recordings }: Needs,
  { organizationId, callId }: Call,
): Promise<StoredRecording | undefined> {
  const handedIn = await findRecording(db, organizationId, callId);
  if (handedIn !== undefined) {
    const { content } = handedIn;
    return {
      ...handedIn,
      sizeBytes: content.length,
      read: (from, most) => Promise.resolve(content.subarray(from, from + most)),
    };
  }
  const upload = await findUpload(db, organizationId, callId);
  if (upload === undefined || upload.readyAt === null) return undefined;
  if (upload.file !== null) return recordingIn(recordings, { organizationId, callId }, upload, upload.file);
  const header = waveHeaderOf(upload.sizeBytes);
  return {
    format: 'wav',
    durationMs: upload.durationMs,
    sizeBytes: muLawWaveHeaderBytes + upload.sizeBytes,
    sha256: upload.waveSha256,
    createdAt: upload.readyAt,
    async read(from, most) {
      const head = header.subarray(from, from + most);
      const place = placeIn(
        await listParts(db, organizationId, callId),
        Math.max(0, from - header.length),
        most - head.length,
      );
      if (place === undefined || place.from === place.to) return head;
      const bytes = await recordings
        .read(partKey(organizationId, callId, place.part), place.from, place.to)
        .catch((error: unknown) => {
          throw internal(error, 503);
        });
      return Buffer.concat([head, bytes]);
    },
  };
}

/** A separate thread for playback, because encoding uses another one. */
const decoding = new OpusThread();

/** A recording that is stored as one file. */
function recordingIn(
  recordings: Telephony['recordings'],
  { organizationId, callId }: Pick<Call, 'organizationId' | 'callId'>,
  { durationMs, readyAt, sizeBytes: soundBytes }: RecordingUpload,
  { fileId, format, sizeBytes, sha256 }: RecordingFile,
): StoredRecording {
  const readFile = (from: number, to: number): Promise<Buffer> =>
    recordings.read(fileKey(organizationId, callId, fileId), from, to).catch((error: unknown) => {
      throw internal(error, 503);
    });
  const known = { durationMs, createdAt: readyAt ?? new Date(0) };
  const read = (from: number, most: number): Promise<Buffer> => readFile(from, Math.min(sizeBytes, from + most));
  if (format === 'wav') return { ...known, format, sizeBytes, sha256, read };
  const asWave = {
    ...known,
    format: 'wav',
    sizeBytes: muLawWaveHeaderBytes + soundBytes,
    // The WAVE is generated when it is read. Its hash is derived from the hash of its source, so it changes whenever the source does.
    sha256: createHash('sha256').update(`wav of ${sha256}`).digest('hex'),
    read: (from: number, most: number) => decoding.readAsWave(soundBytes / 2, { from, most }, readFile),
  };
  return { ...known, format, sizeBytes, sha256, read, asWave };
}

async function whole({ sizeBytes, read }: StoredRecording): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < sizeBytes;) {
    const piece = await read(at, sizeBytes - at);
    if (piece.length === 0) throw internal(new Error('a recording is shorter than its index says'));
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces);
}
