import type { Queryable } from '@parley/runtime';

export interface TakenCommand {
  readonly commandId: string;
  readonly jobId: string;
  readonly epoch: string;
  readonly type: string;
  /** JSON. */
  readonly fields: string;
}

export interface Taking {
  /** Empty for hosted workers, which conduct calls of every organization. */
  readonly organizationId: string;
  readonly workerId: string;
  /** The ids of the jobs leased to the worker. */
  readonly held: readonly string[];
}

/**
 * Takes the commands for a worker's calls: those that no worker has taken, and those that this worker took under the same epoch, because the response may have
 * been lost. A command that the call's previous worker took is not given to the next one, because it may have been carried out.
 */
export async function takeCommands(db: Queryable, { organizationId, workerId, held }: Taking): Promise<TakenCommand[]> {
  const { rows } = await db.query<{
    command_id: string;
    job_id: string;
    epoch: string;
    type: string;
    fields: string;
    position: string;
  }>({
    name: 'commands-take',
    text: `with due as (
             -- Starts with the open commands, which are few. A scan of leased jobs would also pass all jobs that were leased since the oldest snapshot.
             select m.command_id, j.epoch from call_commands m join jobs j on j.job_id = m.job_id
             where m.state in ('waiting', 'taken') and j.worker_id = $2 and j.state = 'leased'
               and case when $1::text = '' then j.dialer <> 'own' else j.dialer = 'own' and j.organization_id = $1::text end
               and ((m.state = 'waiting' and m.expires_at > clock_timestamp())
                 or (m.state = 'taken' and m.taken_epoch = j.epoch and m.command_id <> all($3::text[])))
             order by m.position limit 100 for update of m skip locked
           )
           update call_commands m set state = 'taken', taken_epoch = due.epoch from due where m.command_id = due.command_id
           returning m.command_id, m.job_id, m.taken_epoch::text as epoch, m.type, m.fields, m.position::text`,
    values: [organizationId, workerId, held],
  });
  return rows
    .toSorted((a, b) => Number(BigInt(a.position) - BigInt(b.position)))
    .map((row) => ({
      commandId: row.command_id,
      jobId: row.job_id,
      epoch: row.epoch,
      type: row.type,
      fields: row.fields,
    }));
}

/** Deletes commands older than a day; returns their number. */
export async function pruneCommands(db: Queryable, most: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'commands-prune',
    text: `delete from call_commands using (
             select command_id from call_commands where created_at < now() - interval '1 day' order by created_at limit $1) old
           where call_commands.command_id = old.command_id`,
    values: [most],
  });
  return rowCount ?? 0;
}
