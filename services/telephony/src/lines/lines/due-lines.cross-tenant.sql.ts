import type { Queryable } from '@parley/runtime';
import { lineColumns, lineOf, type CarrierLine, type LineRow } from './carrier-lines.sql';

/** How long a line is left to the process that took it. */
const takenSeconds = 15;

/** Delay after the end of a job: its worker may still be about to close the line. */
const graceSeconds = 2;

/** Takes the most overdue open line for some seconds. Lines are due when their state must be queried at the carrier, or when their call is over. */
export async function takeDueLine(db: Queryable): Promise<CarrierLine | undefined> {
  const { rows } = await db.query<LineRow>({
    name: 'line-take-due',
    text: `with due as materialized (
             select l.call_id from carrier_lines l
             where l.state <> 'closed' and l.check_at <= now()
             order by l.check_at limit 1 for update skip locked)
           update carrier_lines l set check_at = clock_timestamp() + make_interval(secs => ${takenSeconds})
           from due where l.call_id = due.call_id returning ${lineColumns.map((name) => `l.${name}`).join(', ')}`,
  });
  return rows[0] && lineOf(rows[0]);
}

/**
 * Checks that were scheduled before a job ended are due within this time after its end. A later check was scheduled after the end, for a line that stays open
 * because it was transferred.
 */
const scheduledSeconds = 302;

/** Makes open lines due whose job has just ended. */
export async function dueOverLines(db: Queryable): Promise<void> {
  await db.query({
    name: 'lines-over',
    text: `with open as materialized (
             select l.call_id, l.job_id, l.check_at from carrier_lines l
             where l.state <> 'closed' and l.check_at > now() + make_interval(secs => ${takenSeconds})),
           over as materialized (
             select open.call_id from open cross join lateral (
               select from jobs j where j.job_id = open.job_id and j.state = 'done'
                 and j.finished_at < now() - make_interval(secs => ${graceSeconds})
                 and open.check_at < j.finished_at + make_interval(secs => ${scheduledSeconds}) limit 1) job)
           update carrier_lines l set check_at = now() where l.call_id = any(array(select call_id from over))`,
    values: [],
  });
}

/** Makes all open lines over SIP due at once, because events were missed while no process was connected to Asterisk. */
export async function makeSipLinesDue(db: Queryable): Promise<void> {
  await db.query({
    name: 'sip-lines-due',
    text: `update carrier_lines set check_at = least(check_at, now())
           where provider = 'sip_trunk' and state <> 'closed' and carrier_call_id is not null`,
    values: [],
  });
}
