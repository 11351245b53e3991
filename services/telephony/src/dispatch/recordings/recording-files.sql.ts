import type { Queryable } from '@parley/runtime';
import type { RecordingFile } from './recording-uploads.sql';

/** Duration of the lease on producing a file, from each renewal. */
export const fileLeaseSeconds = 30;

interface NamedFile {
  readonly organizationId: string;
  readonly callId: string;
  readonly fileId: string;
}

/**
 * Renews the lease on producing a file. False if it has expired, so that another process may produce the file. In a transaction, the row stays locked until its
 * end.
 */
export async function renewFile(db: Queryable, { organizationId, callId, fileId }: NamedFile): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'recording-file-renew',
    text: `update recording_files set leased_until = clock_timestamp() + make_interval(secs => $4)
           where organization_id = $1 and call_id = $2 and file_id = $3 and leased_until > clock_timestamp()`,
    values: [organizationId, callId, fileId, fileLeaseSeconds],
  });
  return rowCount > 0;
}

/** Ends the lease of this process after it produced the file. */
export async function releaseFile(db: Queryable, { organizationId, callId, fileId }: NamedFile): Promise<void> {
  await db.query({
    name: 'recording-file-release',
    text: `update recording_files set leased_until = clock_timestamp()
           where organization_id = $1 and call_id = $2 and file_id = $3`,
    values: [organizationId, callId, fileId],
  });
}

/** Makes the file the recording of the call; its parts and other files are then due for deletion. The caller has locked the upload. */
export async function putFile(
  tx: Queryable,
  organizationId: string,
  callId: string,
  { fileId, format, sizeBytes, sha256 }: RecordingFile,
  sound: { readonly sizeBytes: number; readonly durationMs: number },
  at: Date,
): Promise<void> {
  await tx.query({
    name: 'recording-file-put',
    text: `update recording_uploads set state = 'ready', ready_at = coalesce(ready_at, $9), file_id = $3, file_format = $4,
             file_bytes = $5, file_sha256 = $6, size_bytes = $7, duration_ms = $8, attempts = 0, retry_at = clock_timestamp(),
             leftover = true
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId, fileId, format, sizeBytes, sha256, sound.sizeBytes, sound.durationMs, at],
  });
}

/** The files of a call that are not its recording and that no process is producing. */
export async function listLeftoverFiles(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ file_id: string }>({
    name: 'recording-files-leftover',
    text: `select f.file_id from recording_files f join recording_uploads u on u.call_id = f.call_id
           where f.organization_id = $1 and u.organization_id = $1 and f.call_id = $2
             and f.file_id is distinct from u.file_id and f.leased_until <= clock_timestamp()`,
    values: [organizationId, callId],
  });
  return rows.map(({ file_id: fileId }) => fileId);
}

/**
 * Deletes the rows of parts and files whose bytes are deleted: parts from number `from` on, and the given files. The upload stays due while a process is still
 * producing a file.
 */
export async function deleteLeftover(
  db: Queryable,
  organizationId: string,
  callId: string,
  { parts, files }: { readonly parts: readonly number[]; readonly files: readonly string[] },
): Promise<void> {
  await db.query({
    name: 'recording-delete-leftover',
    text: `with part as (
        delete from recording_parts where organization_id = $1 and call_id = $2 and part = any($3::integer[])),
      file as (
        delete from recording_files where organization_id = $1 and call_id = $2 and file_id = any($4::text[]))
      update recording_uploads u set leftover = exists (select 1 from recording_files f
        where f.organization_id = $1 and f.call_id = $2 and f.file_id is distinct from u.file_id
          and f.file_id <> all($4::text[]))
      where u.organization_id = $1 and u.call_id = $2 and u.state <> 'taking'`,
    values: [organizationId, callId, parts, files],
  });
}
