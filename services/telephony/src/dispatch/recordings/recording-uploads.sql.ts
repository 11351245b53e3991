import type { Queryable } from '@parley/runtime';
import type { RecordingPart } from './recording-parts.rules';

export type UploadState = 'taking' | 'complete' | 'ready' | 'discarded';

/** The totals over all parts of a recording. */
export interface UploadFacts {
  readonly parts: number;
  readonly sizeBytes: number;
  readonly durationMs: number;
  readonly sha256: string;
  readonly waveSha256: string;
}

/** The file to which the parts were converted. */
export interface RecordingFile {
  readonly fileId: string;
  readonly format: 'ogg' | 'wav';
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The totals are set for a recording that is complete or ready; a discarded one has none. */
export interface RecordingUpload extends UploadFacts {
  readonly state: UploadState;
  readonly readyAt: Date | null;
  /** Null while the recording consists only of parts. */
  readonly file: RecordingFile | null;
}

interface UploadRow {
  readonly state: UploadState;
  readonly parts: number | null;
  readonly size_bytes: number | null;
  readonly duration_ms: number | null;
  readonly sha256: string | null;
  readonly wave_sha256: string | null;
  readonly ready_at: Date | null;
  readonly file_id: string | null;
  readonly file_format: 'ogg' | 'wav' | null;
  readonly file_bytes: number | null;
  readonly file_sha256: string | null;
}

const columns = `state, parts, size_bytes, duration_ms, sha256, wave_sha256, ready_at, file_id, file_format, file_bytes,
  file_sha256`;

const uploadOf = (row: UploadRow): RecordingUpload => ({
  state: row.state,
  parts: row.parts ?? 0,
  sizeBytes: row.size_bytes ?? 0,
  durationMs: row.duration_ms ?? 0,
  sha256: row.sha256 ?? '',
  waveSha256: row.wave_sha256 ?? '',
  readyAt: row.ready_at,
  file: fileOf(row),
});

function fileOf({ file_id, file_format, file_bytes, file_sha256 }: UploadRow): RecordingFile | null {
  if (file_id === null || file_format === null) return null;
  return { fileId: file_id, format: file_format, sizeBytes: file_bytes ?? 0, sha256: file_sha256 ?? '' };
}

/** Starts the upload of a call's recording, or notes activity on it. The caller has locked the call. */
export async function touchUpload(
  tx: Queryable,
  organizationId: string,
  callId: string,
  epoch: string,
  at: Date,
): Promise<void> {
  await tx.query({
    name: 'recording-upload-touch',
    text: `insert into recording_uploads as u (call_id, organization_id, epoch, created_at, touched_at)
           values ($2, $1, $3, $4, $4)
           on conflict (call_id) do update set touched_at = excluded.touched_at where u.organization_id = $1`,
    values: [organizationId, callId, epoch, at],
  });
}

export async function findUpload(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<RecordingUpload | undefined> {
  const { rows } = await db.query<UploadRow>({
    name: 'recording-upload-find',
    text: `select ${columns} from recording_uploads where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId],
  });
  return rows[0] === undefined ? undefined : uploadOf(rows[0]);
}

/** Like `findUpload`, but locks the upload until the transaction ends. */
export async function lockUpload(
  tx: Queryable,
  organizationId: string,
  callId: string,
): Promise<RecordingUpload | undefined> {
  const { rows } = await tx.query<UploadRow>({
    name: 'recording-upload-lock',
    text: `select ${columns} from recording_uploads where organization_id = $1 and call_id = $2 for update`,
    values: [organizationId, callId],
  });
  return rows[0] === undefined ? undefined : uploadOf(rows[0]);
}

/** Whether the uploaded parts are the recording, or will be. Without the first part there is no recording. The caller has locked the call. */
export async function hasPartsToKeep(tx: Queryable, organizationId: string, callId: string): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'recording-upload-has-parts',
    text: `select 1 from recording_uploads u where u.organization_id = $1 and u.call_id = $2
             and (u.state in ('complete', 'ready')
               or u.state = 'taking' and exists (select 1 from recording_parts p where p.organization_id = $1 and p.call_id = $2
                 and p.part = 1 and p.stored_at is not null))`,
    values: [organizationId, callId],
  });
  return rows.length > 0;
}

/** Closes the upload; parts after the last one are then due for deletion. The caller has locked the upload. */
export async function completeUpload(
  tx: Queryable,
  organizationId: string,
  callId: string,
  { parts, sizeBytes, durationMs, sha256, waveSha256 }: UploadFacts,
): Promise<void> {
  await tx.query({
    name: 'recording-upload-complete',
    text: `update recording_uploads set state = 'complete', parts = $3, size_bytes = $4, duration_ms = $5, sha256 = $6,
             wave_sha256 = $7, attempts = 0, retry_at = clock_timestamp(),
             leftover = exists (select 1 from recording_parts where organization_id = $1 and call_id = $2 and part > $3)
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId, parts, sizeBytes, durationMs, sha256, waveSha256],
  });
}

export async function readyUpload(tx: Queryable, organizationId: string, callId: string, at: Date): Promise<void> {
  await tx.query({
    name: 'recording-upload-ready',
    text: `update recording_uploads set state = 'ready', ready_at = $3, attempts = 0, retry_at = clock_timestamp()
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId, at],
  });
}

/** Closes the upload; all its parts are then due for deletion. The caller has locked the upload. */
export async function discardUpload(tx: Queryable, organizationId: string, callId: string): Promise<void> {
  await tx.query({
    name: 'recording-upload-discard',
    text: `update recording_uploads set state = 'discarded', parts = 0, size_bytes = null, duration_ms = null, sha256 = null,
             wave_sha256 = null, ready_at = null, file_id = null, file_format = null, file_bytes = null, file_sha256 = null,
             attempts = 0, retry_at = clock_timestamp(), leftover = true
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId],
  });
}

/** In the order of part numbers. */
export async function listParts(db: Queryable, organizationId: string, callId: string): Promise<RecordingPart[]> {
  const { rows } = await db.query<{ part: number; size_bytes: number; sha256: string; stored: boolean }>({
    name: 'recording-parts-list',
    text: `select part, size_bytes, sha256, stored_at is not null as stored from recording_parts
           where organization_id = $1 and call_id = $2 order by part`,
    values: [organizationId, callId],
  });
  return rows.map(({ size_bytes: sizeBytes, ...row }) => ({ ...row, sizeBytes }));
}

/** Must be called before the bytes are stored, so that the table lists every stored object. */
export async function insertPart(
  tx: Queryable,
  organizationId: string,
  callId: string,
  { part, sizeBytes, sha256 }: Omit<RecordingPart, 'stored'>,
): Promise<void> {
  await tx.query({
    name: 'recording-part-insert',
    text: `insert into recording_parts (call_id, part, organization_id, size_bytes, sha256) values ($2, $3, $1, $4, $5)`,
    values: [organizationId, callId, part, sizeBytes, sha256],
  });
}

/** Records that the bytes of a part are stored; false if the upload no longer accepts parts. */
export async function markStored(
  db: Queryable,
  organizationId: string,
  callId: string,
  part: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'recording-part-stored',
    text: `with taking as materialized (
             select call_id from recording_uploads where organization_id = $1 and call_id = $2 and state = 'taking' for share)
           update recording_parts p set stored_at = coalesce(p.stored_at, clock_timestamp()) from taking
           where p.call_id = taking.call_id and p.organization_id = $1 and p.call_id = $2 and p.part = $3`,
    values: [organizationId, callId, part],
  });
  return rowCount > 0;
}

/** Assigns the upload to another lease and removes parts whose bytes never arrived. False: the call has no upload that accepts parts. */
export async function passUpload(
  db: Queryable,
  organizationId: string,
  callId: string,
  epoch: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'recording-upload-pass',
    text: `with missing as (
             delete from recording_parts where organization_id = $1 and call_id = $2 and stored_at is null)
           update recording_uploads set epoch = $3 where organization_id = $1 and call_id = $2 and state = 'taking'`,
    values: [organizationId, callId, epoch],
  });
  return rowCount > 0;
}
