import type { CommandRefusal, CommandType } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

export interface NewCommand {
  readonly commandId: string;
  readonly callId: string;
  readonly jobId: string;
  readonly type: CommandType;
  /** JSON. */
  readonly fields: string;
  /** How long a worker may take the command. */
  readonly takeMs: number;
}

/** @returns the time of insertion by the database's clock */
export async function insertCommand(tx: Queryable, organizationId: string, command: NewCommand): Promise<Date> {
  const { rows } = await tx.query<{ created_at: Date }>({
    name: 'command-insert',
    text: `insert into call_commands (command_id, organization_id, call_id, job_id, type, fields, expires_at)
           values ($2, $1, $3, $4, $5, $6, clock_timestamp() + $7::integer * interval '1 millisecond') returning created_at`,
    values: [
      organizationId,
      command.commandId,
      command.callId,
      command.jobId,
      command.type,
      command.fields,
      command.takeMs,
    ],
  });
  if (rows[0] === undefined) throw new Error('a command was not written');
  return rows[0].created_at;
}

export type CommandState = 'waiting' | 'taken' | 'performed' | 'refused' | 'expired';

export interface Command {
  readonly commandId: string;
  readonly callId: string;
  readonly type: CommandType;
  readonly state: CommandState;
  readonly takenEpoch: string | null;
  readonly refusal: CommandRefusal | null;
  readonly detail: string | null;
  /** JSON. */
  readonly result: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly callStatus: string;
}

export async function findCommand(
  db: Queryable,
  organizationId: string,
  commandId: string,
): Promise<Command | undefined> {
  const { rows } = await db.query<CommandRow>({
    name: 'command-find',
    text: `select m.command_id, m.call_id, m.type, m.state, m.taken_epoch::text, m.refusal, m.detail, m.result, m.created_at, m.ended_at,
             c.status as call_status
           from call_commands m join calls c on c.call_id = m.call_id and c.organization_id = $1
           where m.organization_id = $1 and m.command_id = $2`,
    values: [organizationId, commandId],
  });
  const [row] = rows;
  return (
    row && {
      commandId: row.command_id,
      callId: row.call_id,
      type: row.type,
      state: row.state,
      takenEpoch: row.taken_epoch,
      refusal: row.refusal,
      detail: row.detail,
      result: row.result,
      createdAt: row.created_at,
      endedAt: row.ended_at,
      callStatus: row.call_status,
    }
  );
}

interface CommandRow {
  readonly command_id: string;
  readonly call_id: string;
  readonly type: CommandType;
  readonly state: CommandState;
  readonly taken_epoch: string | null;
  readonly refusal: CommandRefusal | null;
  readonly detail: string | null;
  readonly result: string | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly call_status: string;
}

/**
 * Expires a command that no worker took, and deletes the response stored for its Idempotency-Key. @returns whether it has expired now, so that no worker can
 * take it any more
 */
export async function expireCommand(db: Queryable, organizationId: string, commandId: string): Promise<boolean> {
  const { rows } = await db.query<{ expired: boolean }>({
    name: 'command-expire',
    text: `with expired as (
             update call_commands set state = 'expired'
             where organization_id = $1 and command_id = $2 and state = 'waiting' returning command_id
           ), forgotten as (
             delete from idempotency where organization_id = $1 and record_id in (select command_id from expired)
           )
           select exists (select from expired) as expired`,
    values: [organizationId, commandId],
  });
  return rows[0]?.expired === true;
}

export interface Ending {
  readonly callId: string;
  readonly commandId: string;
  readonly epoch: string;
  readonly state: 'performed' | 'refused';
  readonly refusal: CommandRefusal | null;
  readonly detail: string | null;
  readonly result: string | null;
}

/**
 * Stores the outcome of a command that the worker of this epoch took; later outcomes are ignored. @returns the stored state; undefined if that worker took no
 * such command
 */
export async function endCommand(
  tx: Queryable,
  organizationId: string,
  ending: Ending,
): Promise<'performed' | 'refused' | undefined> {
  const values = [organizationId, ending.callId, ending.commandId, ending.epoch];
  const outcome = [ending.state, ending.refusal, ending.detail, ending.result];
  const { rows } = await tx.query<{ state: 'performed' | 'refused' }>({
    name: 'command-end',
    text: `update call_commands set
             state = case state when 'taken' then $5 else state end,
             refusal = case state when 'taken' then $6 else refusal end,
             detail = case state when 'taken' then $7 else detail end,
             result = case state when 'taken' then $8 else result end,
             ended_at = coalesce(ended_at, clock_timestamp())
           where organization_id = $1 and call_id = $2 and command_id = $3 and taken_epoch = $4
             and state in ('taken', 'performed', 'refused')
           returning state`,
    values: [...values, ...outcome],
  });
  return rows[0]?.state;
}

export interface CallTarget {
  readonly status: string;
  /** Undefined: the call has no job, for example because a media gateway conducts it. */
  readonly jobId: string | undefined;
  readonly jobState: string | undefined;
  readonly recorded: boolean;
  /** The call's current or last worker. */
  readonly workerId: string | undefined;
  /** The capabilities declared by the call's current worker; undefined if there is none. */
  readonly capabilities: readonly string[] | undefined;
}

/** The call to which a command is addressed, with its job and worker. */
export async function findTarget(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<CallTarget | undefined> {
  const { rows } = await db.query<{
    status: string;
    job_id: string | null;
    job_state: string | null;
    recording_enabled: boolean;
    worker_id: string | null;
    capabilities: string[] | null;
  }>({
    name: 'command-target',
    text: `select c.status, c.recording_enabled, j.job_id, j.state as job_state, j.worker_id, w.capabilities
           from calls c
             left join jobs j on j.call_id = c.call_id and j.organization_id = $1
             left join worker_capabilities w on w.organization_id = case j.dialer when 'own' then j.organization_id else '' end
               and w.kind = 'call' and w.digest = j.declaration and j.state = 'leased'
           where c.organization_id = $1 and c.call_id = $2`,
    values: [organizationId, callId],
  });
  const [row] = rows;
  return (
    row && {
      status: row.status,
      jobId: row.job_id ?? undefined,
      jobState: row.job_state ?? undefined,
      recorded: row.recording_enabled,
      workerId: row.worker_id ?? undefined,
      capabilities: row.capabilities ?? undefined,
    }
  );
}

/** First key of the advisory lock that serializes the commands `watch` of a call until their commit. */
const watchSpace = 7405;

/**
 * Inserts a command `watch` for the call's worker, if the worker declared `control:live` and there was no such command in the last `seconds`.
 * @returns whether it was inserted
 */
export async function giveWatch(
  tx: Queryable,
  organizationId: string,
  { callId, commandId, seconds }: { readonly callId: string; readonly commandId: string; readonly seconds: number },
): Promise<boolean> {
  // Otherwise two replicas would not see each other's command. Locked by a statement of its own, because the next one must see what was committed meanwhile.
  await tx.query({
    name: 'command-watch-lock',
    text: `select pg_advisory_xact_lock(${watchSpace}, hashtext($1::text))`,
    values: [callId],
  });
  const { rowCount } = await tx.query({
    name: 'command-watch',
    text: `insert into call_commands (command_id, organization_id, call_id, job_id, type, fields, expires_at)
           select $3, $1, $2, j.job_id, 'watch', '{}', clock_timestamp() + make_interval(secs => $4)
           from jobs j where j.organization_id = $1 and j.call_id = $2 and j.state = 'leased'
             and exists (
               select from worker_capabilities w where w.organization_id = case j.dialer when 'own' then j.organization_id else '' end
                 and w.kind = 'call' and w.digest = j.declaration and 'control:live' = any(w.capabilities))
             and not exists (
               select from call_commands c where c.organization_id = $1 and c.call_id = $2 and c.type = 'watch'
                 and c.created_at > clock_timestamp() - make_interval(secs => $4))
           on conflict do nothing`,
    values: [organizationId, callId, commandId, seconds],
  });
  return rowCount === 1;
}
