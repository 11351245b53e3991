import type { Queryable } from '@parley/runtime';
import { fileLeaseSeconds } from './recording-files.sql';

export interface UnfinishedRecording {
  readonly organizationId: string;
  readonly callId: string;
  /** The number of failures in its current state. */
  readonly failures: number;
}

interface Row {
  readonly organization_id: string;
  readonly call_id: string;
  readonly attempts: number;
}

const found = ({ rows: [row] }: { readonly rows: readonly Row[] }): UnfinishedRecording | undefined =>
  row && { organizationId: row.organization_id, callId: row.call_id, failures: row.attempts - 1 };

/**
 * Claims the recording selected by `wanted` that has waited longest. No other replica claims it before its retry time, which is 10 seconds after the first
 * attempt and grows to at most 10 minutes.
 */
const claimed = (wanted: string): string => `update recording_uploads u set attempts = u.attempts + 1,
    retry_at = clock_timestamp() + make_interval(secs => least(10 * 2 ^ least(u.attempts, 10), 600))
  from (${wanted} order by u.retry_at limit 1 for update of u skip locked) wanted
  where u.call_id = wanted.call_id returning u.organization_id, u.call_id, u.attempts`;

/** Whether there may be recordings for `claimAbandoned` or `claimLeftover`. In the usual case that there are none, this avoids the claims. */
export async function anyUnfinished(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ unfinished: boolean }>({
    name: 'recording-any-unfinished',
    text: `select exists (select from recording_uploads where state = 'taking' and retry_at <= now())
             or exists (select from recording_uploads where leftover and state in ('ready', 'discarded') and retry_at <= now()) as unfinished`,
    values: [],
  });
  return rows[0]?.unfinished === true;
}

/** Whether there may be recordings for which a file must be produced. */
export async function anyUnfiled(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ unfiled: boolean }>({
    name: 'recording-any-unfiled',
    text: `select exists (select from recording_uploads where state = 'complete' and retry_at <= now())
             or exists (select from recording_uploads where state = 'ready' and file_id is null and retry_at <= now()) as unfiled`,
    values: [],
  });
  return rows[0]?.unfiled === true;
}

/** Claims a recording selected by `wanted`, and inserts a file with the given id and a lease that must be renewed while the file is produced. */
const claimedForFile = (wanted: string): string => `with claimed as (${claimed(wanted)}),
  file as (insert into recording_files (file_id, call_id, organization_id, leased_until)
    select $1, call_id, organization_id, clock_timestamp() + make_interval(secs => $2) from claimed)
  select organization_id, call_id, attempts from claimed`;

const notBeingMade =
  'not exists (select from recording_files f where f.call_id = u.call_id and f.leased_until > clock_timestamp())';

/** A complete recording of a completed call for which no process is producing a file. */
export async function claimComplete(db: Queryable, fileId: string): Promise<UnfinishedRecording | undefined> {
  return found(
    await db.query<Row>({
      name: 'recording-claim-complete',
      text: claimedForFile(`select u.call_id from recording_uploads u join calls c on c.call_id = u.call_id
        where u.state = 'complete' and u.retry_at <= clock_timestamp() and c.status = 'completed' and ${notBeingMade}`),
      values: [fileId, fileLeaseSeconds],
    }),
  );
}

/** Claims a recording that is already read from its parts and for which no process is producing a file. */
export async function claimUnfiled(db: Queryable, fileId: string): Promise<UnfinishedRecording | undefined> {
  return found(
    await db.query<Row>({
      name: 'recording-claim-unfiled',
      text: claimedForFile(`select u.call_id from recording_uploads u
        where u.state = 'ready' and u.file_id is null and u.retry_at <= clock_timestamp() and ${notBeingMade}`),
      values: [fileId, fileLeaseSeconds],
    }),
  );
}

/** Claims a recording of a completed call that will get no more parts: its worker lost the lease, or no part arrived for `graceSeconds`. */
export async function claimAbandoned(db: Queryable, graceSeconds: number): Promise<UnfinishedRecording | undefined> {
  return found(
    await db.query<Row>({
      name: 'recording-claim-abandoned',
      text: claimed(`select u.call_id from recording_uploads u join calls c on c.call_id = u.call_id
          left join jobs j on j.organization_id = u.organization_id and j.call_id = u.call_id
        where u.state = 'taking' and u.retry_at <= clock_timestamp() and c.status = 'completed'
          and (j.epoch <> u.epoch
            or greatest(c.completed_at, u.touched_at) < clock_timestamp() - make_interval(secs => $1))`),
      values: [graceSeconds],
    }),
  );
}

/** Claims a recording that is ready or discarded and still has parts or files that do not belong to it. */
export async function claimLeftover(db: Queryable): Promise<UnfinishedRecording | undefined> {
  return found(
    await db.query<Row>({
      name: 'recording-claim-leftover',
      text: claimed(`select u.call_id from recording_uploads u
        where u.leftover and u.state in ('ready', 'discarded') and u.retry_at <= clock_timestamp()`),
    }),
  );
}

/** Makes the recording due for an immediate retry, because the interruption was not a failure. */
export async function unclaim(db: Queryable, { organizationId, callId }: UnfinishedRecording): Promise<void> {
  await db.query({
    name: 'recording-unclaim',
    text: `update recording_uploads set attempts = 0, retry_at = clock_timestamp()
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId],
  });
}
