import type { Queryable } from '@parley/runtime';
import { lineColumns, lineOf, type CarrierLine, type LineRow } from './carrier-lines.sql';

/** A token that adopts a job, and its lifetime. */
export interface AdoptionToken {
  readonly tokenHash: Buffer;
  readonly seconds: number;
}

/**
 * Makes a job wait for the stream that brings this token; another token that was made for it is void from now on. The caller holds the job's lock. It is
 * a permitted one: it never goes back to wait.
 */
export async function makeAdoptable(tx: Queryable, jobId: string, token: AdoptionToken): Promise<void> {
  await tx.query({
    name: 'job-make-adoptable',
    text: `update jobs set state = 'adoptable', worker_id = null, lease_expires_at = null, declaration = null,
             permitted_at = coalesce(permitted_at, clock_timestamp()), adopt_token_hash = $2,
             adopt_before = clock_timestamp() + make_interval(secs => $3)
           where job_id = $1 and (state in ('leased', 'adoptable')) is true`,
    values: [jobId, token.tokenHash, token.seconds],
  });
}

/** How long other processes leave a line to this one. */
const takenSeconds = 15;

/** The delay after the end of a job, since its worker may still be about to close the line. */
const graceSeconds = 2;

/** The open line that is overdue longest, taken for some seconds: lines to query at the carrier, and lines whose call is over. */
export async function takeDueLine(db: Queryable): Promise<CarrierLine | undefined> {
  const { rows } = await db.query<LineRow>({
    name: 'line-take-due',
    text: `with due as materialized (
             select l.call_id from carrier_lines l where l.state <> 'closed' and l.check_at <= now()
             order by l.check_at limit 1 for update skip locked)
           update carrier_lines l set check_at = clock_timestamp() + make_interval(secs => ${takenSeconds})
           from due where l.call_id = due.call_id returning ${lineColumns.map((name) => `l.${name}`).join(', ')}`,
    values: [],
  });
  return rows[0] && lineOf(rows[0]);
}

/** Makes open lines due whose job ended a moment ago. */
export async function dueOverLines(db: Queryable): Promise<void> {
  await db.query({
    name: 'lines-over',
    text: `with open as materialized (
             select l.call_id, l.job_id from carrier_lines l
             where l.state <> 'closed' and l.check_at > now() + make_interval(secs => ${takenSeconds})),
           over as materialized (
             select open.call_id from open cross join lateral (
               select from jobs j where j.job_id = open.job_id and j.state = 'done'
                 and j.finished_at < now() - make_interval(secs => ${graceSeconds}) limit 1) job)
           update carrier_lines l set check_at = now() where l.call_id = any(array(select call_id from over))`,
    values: [],
  });
}
