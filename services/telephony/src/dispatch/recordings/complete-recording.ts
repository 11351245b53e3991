import type { RecordingComplete } from '@parley/contract';
import { conflict, internal, invalidField } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { type Call, lockHeldJob } from '../../books';
import type { Telephony } from '../../telephony';
import { digestParts } from './digest-parts';
import { lockIncoming } from './put-part';
import { areAll, lasts, sizeOf, type RecordingPart } from './recording-parts.rules';
import { completeUpload, listParts, lockUpload } from './recording-uploads.sql';

type Needs = Pick<Telephony, 'db' | 'recordings' | 'recordingsWait'>;

export interface JobRecordingInput<Fields> {
  /** Empty for hosted workers, and for an operator that specified no organization. */
  readonly organizationId: string;
  readonly jobId: string;
  /** Validates the fields; called once the job is found. @throws AppError BadRequestError */
  readonly fields: () => Fields;
}

/**
 * Completes the upload of a recording after checking that all parts are stored and match the worker's totals and digest. The recording is attached to the call
 * once the call is completed. Repeating the request changes nothing.
 * @returns JSON of RecordingUploadRecord
 * @throws NotFoundError; BadRequestError; ConflictError for a stale epoch, missing or extra parts, and another digest
 */
export function completeJobRecording(
  telephony: Needs,
  { organizationId, jobId, fields }: JobRecordingInput<Fields & { readonly epoch: number }>,
): Promise<string> {
  return complete(telephony, (tx) => lockHeldJob(tx, organizationId, jobId, fields));
}

/** Like `completeJobRecording`, for the media gateway of an incoming call. */
export function completeIncomingRecording(
  telephony: Needs,
  organizationId: string,
  callId: string,
  fields: RecordingComplete,
): Promise<string> {
  return complete(telephony, (tx) => lockIncoming(tx, organizationId, callId, fields));
}

/** `sha256_from` is set by a worker that continued the recording of another worker. */
type Fields = RecordingComplete & { readonly sha256_from?: number };
type Lock = (tx: Queryable) => Promise<{ readonly call: Call; readonly fields: Fields }>;

async function complete(telephony: Needs, lock: Lock): Promise<string> {
  const { db, recordings } = telephony;
  const first = await db.transaction(async (tx) => check(tx, await lock(tx)));
  if (first.open) {
    // Computed without a lock, because the whole recording must be read.
    const { organizationId, callId } = first.call;
    const facts = await digestParts(recordings, organizationId, callId, first.parts).catch((error: unknown) => {
      throw internal(error, 503);
    });
    const { sha256_from: from = 1 } = first.fields;
    const own =
      from === 1
        ? facts
        : await digestParts(recordings, organizationId, callId, first.parts.slice(from - 1)).catch((error: unknown) => {
            throw internal(error, 503);
          });
    if (own.sha256 !== first.fields.sha256) throw conflict('sha256 does not match the parts');
    await db.transaction(async (tx) => {
      const { open } = await check(tx, await lock(tx));
      if (open) await completeUpload(tx, organizationId, callId, facts);
    });
    telephony.recordingsWait();
  }
  const { call, fields, sizeBytes } = first;
  return JSON.stringify({
    call_id: call.callId,
    parts: fields.parts,
    duration_ms: fields.duration_ms,
    size_bytes: sizeBytes,
    sha256: fields.sha256,
  });
}

interface Checked {
  readonly call: Call;
  readonly fields: Fields;
  readonly parts: readonly RecordingPart[];
  readonly sizeBytes: number;
  /** False if the upload was completed earlier. */
  readonly open: boolean;
}

async function check(tx: Queryable, { call, fields }: Awaited<ReturnType<Lock>>): Promise<Checked> {
  const { organizationId, callId } = call;
  const upload = await lockUpload(tx, organizationId, callId);
  if (upload === undefined) throw conflict('the recording has no parts');
  const parts = await listParts(tx, organizationId, callId);
  if (upload.state !== 'taking') {
    const isSame = fields.sha256_from !== undefined || upload.sha256 === fields.sha256;
    if (upload.parts !== fields.parts || !isSame)
      throw conflict('the recording is already complete, with different values');
    // Its parts may already be deleted after their conversion to a file.
    return { call, fields, parts, sizeBytes: upload.sizeBytes, open: false };
  }
  if (!areAll(parts, fields.parts)) throw conflict(`the recording must have exactly the parts 1 to ${fields.parts}`);
  if (!lasts(sizeOf(parts), fields.duration_ms)) {
    throw invalidField('duration_ms', 'conflict_with', 'must be the duration of the bytes of the parts');
  }
  return { call, fields, parts, sizeBytes: sizeOf(parts), open: true };
}
