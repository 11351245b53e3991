import { createHash } from 'node:crypto';
import { limits } from '@parley/contract';
import { AppError, conflict, internal, notFound } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { lockCallAndJob, lockHeldJob, type HeldWrite } from '../../books';
import type { Telephony } from '../../telephony';
import { partFieldsOf, sizeOf, type PartFields, type RecordingPart } from './recording-parts.rules';
import { partKey, RecordingStoreFull } from './recording-store';
import { findUpload, insertPart, listParts, lockUpload, markStored, touchUpload } from './recording-uploads.sql';

type Needs = Pick<Telephony, 'db' | 'recordings' | 'settings' | 'partRefused'>;

export interface PartWrite {
  /** The part number as in the URL path. */
  readonly part: string;
  readonly content: Buffer;
}

export interface JobPartWrite extends PartWrite {
  /** Empty for hosted workers, and for an operator that specified no organization. */
  readonly organizationId: string;
  readonly jobId: string;
  /** The epoch of the lease; 0 for none. */
  readonly epoch: number;
}

/**
 * Stores a part of a recording for the worker that has the call's lease, or that finished the job itself. Repeating it with the same bytes changes nothing.
 * @returns JSON of RecordingPartRecord
 * @throws NotFoundError; BadRequestError; ConflictError for a stale epoch, a call that is not recorded or was not answered, other bytes for the same part, and
 * once the recording is complete; PayloadTooLargeError; internal_error with 503 if the store cannot accept the part
 */
export function putJobPart(telephony: Needs, write: JobPartWrite): Promise<string> {
  const { organizationId, jobId } = write;
  return storePart(telephony, write.content, (tx) => lockHeldJob(tx, organizationId, jobId, () => partFieldsOf(write)));
}

/** Like `putJobPart`, for the media gateway of an incoming call. */
export function putIncomingPart(
  telephony: Needs,
  { organizationId, callId, ...write }: PartWrite & { readonly organizationId: string; readonly callId: string },
): Promise<string> {
  return storePart(telephony, write.content, (tx) =>
    lockIncoming(tx, organizationId, callId, partFieldsOf({ ...write, epoch: 1 })),
  );
}

/** Locks an incoming call whose line a gateway has. @throws ConflictError for a call that a worker conducts, and for one that was refused */
export async function lockIncoming<Fields>(
  tx: Queryable,
  organizationId: string,
  callId: string,
  fields: Fields,
): Promise<HeldWrite<Fields>> {
  const held = await lockCallAndJob(tx, organizationId, callId);
  if (held === undefined) throw notFound('call');
  if (held.call.direction !== 'inbound')
    throw conflict('the call is outbound: a gateway can upload recordings only for incoming calls');
  if (held.job === undefined) throw conflict('the call was refused');
  return { ...held, job: held.job, fields };
}

type Taken = RecordingPart & { readonly organizationId: string; readonly callId: string };

async function storePart(
  telephony: Needs,
  content: Buffer,
  lock: (tx: Queryable) => Promise<HeldWrite<PartFields>>,
): Promise<string> {
  const { db, recordings } = telephony;
  // The table is written first, so that every object in the store can be found even if the process dies in between.
  const taken = await db.transaction(async (tx) => takePart(tx, telephony, await lock(tx)));
  if (taken.stored) return render(taken);
  const { organizationId, callId, part } = taken;
  const key = partKey(organizationId, callId, part);
  try {
    await recordings.put(key, content);
  } catch (error) {
    telephony.partRefused(error instanceof RecordingStoreFull ? 'full' : 'unavailable');
    throw internal(error, 503);
  }
  if (!(await markStored(db, organizationId, callId, part))) {
    if (!(await isOfRecording(db, taken))) {
      await recordings.delete(key);
      throw conflict('the recording accepts no more parts');
    }
  }
  return render(taken);
}

/** Whether this part belongs to the recording, whose upload is already closed: the same bytes were then uploaded concurrently under the same key. */
async function isOfRecording(db: Queryable, { organizationId, callId, part, sha256 }: Taken): Promise<boolean> {
  const upload = await findUpload(db, organizationId, callId);
  if (upload === undefined || part > upload.parts) return false;
  return (await listParts(db, organizationId, callId)).some((one) => one.part === part && one.sha256 === sha256);
}

async function takePart(
  tx: Queryable,
  { settings }: Pick<Telephony, 'settings'>,
  { call, job, now, fields: { part, content } }: HeldWrite<PartFields>,
): Promise<Taken> {
  const { organizationId, callId, completedAt } = call;
  if (!call.recordingEnabled) throw conflict('the call is not recorded');
  if (!['answered', 'ended', 'completed'].includes(call.status)) throw conflict(`the call is ${call.status}`);
  const sha256 = createHash('sha256').update(content).digest('hex');
  // The upload is locked, so that the recording cannot be completed between this check and the insert.
  const upload = await lockUpload(tx, organizationId, callId);
  const parts = upload === undefined ? [] : await listParts(tx, organizationId, callId);
  const earlier = parts.find((one) => one.part === part);
  if (earlier !== undefined && earlier.sha256 !== sha256)
    throw conflict(`part ${part} was already uploaded with different bytes`);
  if (earlier?.stored === true) return { ...earlier, organizationId, callId };
  const late = completedAt !== null && now.getTime() - completedAt.getTime() > settings.recordingGraceSeconds * 1_000;
  if (upload === undefined ? late : upload.state !== 'taking') throw conflict('the recording accepts no more parts');
  const taken = { part, sizeBytes: content.length, sha256, stored: false };
  await touchUpload(tx, organizationId, callId, job.epoch, now);
  if (earlier === undefined) {
    if (sizeOf(parts) + content.length > limits.recordingBytes) {
      throw new AppError('PayloadTooLargeError', `a recording has at most ${limits.recordingBytes} bytes`);
    }
    await insertPart(tx, organizationId, callId, taken);
  }
  return { ...taken, organizationId, callId };
}

const render = ({ callId, part, sizeBytes, sha256 }: Taken): string =>
  JSON.stringify({ call_id: callId, part, size_bytes: sizeBytes, sha256 });
