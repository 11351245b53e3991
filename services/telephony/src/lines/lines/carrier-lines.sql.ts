import type { Queryable } from '@parley/runtime';

export type LineState = 'dialing' | 'ringing' | 'answered' | 'closed';

/** A line at a carrier whose call a worker adopts. */
export interface CarrierLine {
  readonly callId: string;
  readonly organizationId: string;
  readonly jobId: string;
  readonly provider: string;
  readonly accountSid: string;
  /** The carrier's own id of the call; null: not known yet. */
  readonly carrierCallId: string | null;
  readonly state: LineState;
  readonly reserved: boolean;
  readonly openedAt: Date;
  readonly ringUntil: Date;
  readonly answeredAt: Date | null;
}

export interface LineRow {
  readonly call_id: string;
  readonly organization_id: string;
  readonly job_id: string;
  readonly provider: string;
  readonly account_sid: string;
  readonly carrier_call_id: string | null;
  readonly state: LineState;
  readonly reserved: boolean;
  readonly opened_at: Date;
  readonly ring_until: Date;
  readonly answered_at: Date | null;
}

export const lineColumns = [
  ...['call_id', 'organization_id', 'job_id', 'provider', 'account_sid', 'carrier_call_id'],
  ...['state', 'reserved', 'opened_at', 'ring_until', 'answered_at'],
];

export const lineOf = (row: LineRow): CarrierLine => ({
  callId: row.call_id,
  organizationId: row.organization_id,
  jobId: row.job_id,
  provider: row.provider,
  accountSid: row.account_sid,
  carrierCallId: row.carrier_call_id,
  state: row.state,
  reserved: row.reserved,
  openedAt: row.opened_at,
  ringUntil: row.ring_until,
  answeredAt: row.answered_at,
});

export interface NewLine extends Pick<
  CarrierLine,
  'callId' | 'jobId' | 'provider' | 'accountSid' | 'carrierCallId' | 'state' | 'reserved'
> {
  readonly ringSeconds: number;
  /** Seconds until the carrier is queried for the state of the line. */
  readonly checkSeconds: number;
}

export async function insertLine(tx: Queryable, organizationId: string, line: NewLine): Promise<void> {
  await tx.query({
    name: 'line-insert',
    text: `insert into carrier_lines (organization_id, call_id, job_id, provider, account_sid, carrier_call_id, state, reserved,
             ring_until, check_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8,
             clock_timestamp() + make_interval(secs => $9), clock_timestamp() + make_interval(secs => $10))`,
    values: [
      organizationId,
      line.callId,
      line.jobId,
      line.provider,
      line.accountSid,
      line.carrierCallId,
      line.state,
      line.reserved,
      line.ringSeconds,
      line.checkSeconds,
    ],
  });
}

/** The ids of a line at its carrier. */
export interface LineAtCarrier {
  readonly provider: string;
  readonly accountSid: string;
  readonly carrierCallId: string;
}

/** Finds the call by the carrier's id. Otherwise finds it by our own reference, if the line is at this account and has no carrier id yet. */
export async function findCallOfLine(
  db: Queryable,
  organizationId: string,
  { provider, accountSid, carrierCallId }: LineAtCarrier,
  reference: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ call_id: string }>({
    name: 'line-find',
    text: `select call_id from carrier_lines
           where organization_id = $1 and provider = $2 and account_sid = $3 and carrier_call_id = $4
           union all
           select call_id from carrier_lines
           where organization_id = $1 and provider = $2 and account_sid = $3 and call_id = $5
           limit 1`,
    values: [organizationId, provider, accountSid, carrierCallId, reference],
  });
  return rows[0]?.call_id;
}

/** Locks a line until the transaction ends and returns it. Lock order: its job first. */
export async function lockLine(
  tx: Queryable,
  organizationId: string,
  callId: string,
): Promise<CarrierLine | undefined> {
  const { rows } = await tx.query<LineRow>({
    name: 'line-lock',
    text: `select ${lineColumns.join(', ')} from carrier_lines
           where organization_id = $1 and call_id = $2 for update`,
    values: [organizationId, callId],
  });
  return rows[0] && lineOf(rows[0]);
}

export interface LineChange {
  readonly state: LineState;
  readonly carrierCallId: string | null;
  readonly reserved: boolean;
  /** Seconds until the carrier is queried for the state of the line. */
  readonly checkSeconds: number;
}

/** Updates a line that the caller has locked. Stores the time of the first answer. */
export async function writeLine(
  tx: Queryable,
  organizationId: string,
  callId: string,
  change: LineChange,
): Promise<void> {
  await tx.query({
    name: 'line-write',
    text: `update carrier_lines set state = $3, carrier_call_id = coalesce(carrier_call_id, $4), reserved = $5,
             check_at = clock_timestamp() + make_interval(secs => $6),
             answered_at = case when $3 = 'answered' then coalesce(answered_at, clock_timestamp()) else answered_at end
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId, change.state, change.carrierCallId, change.reserved, change.checkSeconds],
  });
}

/** Keeps a slot reserved at another worker for the call of this line. */
export async function keepSlot(tx: Queryable, organizationId: string, callId: string, seconds: number): Promise<void> {
  await tx.query({
    name: 'line-keep-slot',
    text: `update carrier_lines set hand_over_until = clock_timestamp() + make_interval(secs => $3)
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId, seconds],
  });
}

/** Returns those of the given carrier ids that already belong to lines. */
export async function knownCarrierCalls(
  db: Queryable,
  organizationId: string,
  { provider, accountSid }: Omit<LineAtCarrier, 'carrierCallId'>,
  carrierCallIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ carrier_call_id: string }>({
    name: 'lines-known',
    text: `select line.carrier_call_id from unnest($4::text[]) as given (id) cross join lateral (
             select carrier_call_id from carrier_lines
             where organization_id = $1 and provider = $2 and account_sid = $3 and carrier_call_id = given.id limit 1) line`,
    values: [organizationId, provider, accountSid, carrierCallIds],
  });
  return new Set(rows.map(({ carrier_call_id: id }) => id));
}

/** Makes an open line due at once if its call is over. A line without a carrier id must wait for its id first. */
export async function makeLineDue(db: Queryable, organizationId: string, callId: string): Promise<void> {
  await db.query({
    name: 'line-make-due',
    text: `update carrier_lines set check_at = now()
           where organization_id = $1 and call_id = $2 and state <> 'closed' and carrier_call_id is not null`,
    values: [organizationId, callId],
  });
}
