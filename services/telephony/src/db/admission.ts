import { claimFragment, type CreatingRequest, type Remembered } from '@parley/idempotency';
import type { Queryable } from '@parley/runtime';
import type { Call } from '../domain/call';
import type { CallEvent } from '../domain/call-event';
import { callColumns } from './call-rows';
import { eventInserts, eventRows, eventValues } from './call-events';
import { isRefusal } from './refusal';
import { laneLock, laneRow } from './lanes';

export interface SendingNumber {
  readonly phoneNumber: string;
  readonly projectId: string;
}

export interface AdmissionRead {
  /** The database's clock. */
  readonly now: Date;
  /** The number named by `from`, else up to two of the project's numbers. */
  readonly numbers: readonly SendingNumber[];
}

/** What admission reads of telephony's own rows before its one write: the clock and the numbers to call from. */
export async function readForAdmission(
  db: Queryable,
  organizationId: string,
  projectId: string,
  from: string,
): Promise<AdmissionRead> {
  const { rows } = await db.query<{ now: Date; phone_number: string | null; project_id: string | null }>({
    name: 'admission-read',
    text: `select clock_timestamp() as now, n.phone_number, n.project_id
           from (select 1) as once left join lateral (
             select phone_number, project_id from numbers
             where organization_id = $1 and released_at is null
               and case when $3 = '' then project_id = $2 else phone_number = $3 end
             order by number_id limit 2
           ) n on true`,
    values: [organizationId, projectId, from],
  });
  const numbers = rows.flatMap(({ phone_number: phoneNumber, project_id: project }) =>
    phoneNumber === null || project === null ? [] : [{ phoneNumber, projectId: project }],
  );
  return { now: rows[0]?.now ?? new Date(), numbers };
}

export interface Admission {
  readonly request: CreatingRequest;
  /** What a replay is answered. */
  readonly answer: Remembered;
  readonly call: Call;
  readonly events: readonly CallEvent[];
  /** Null for a call that is not to be dialled (yet). */
  readonly jobId: string | null;
  readonly traceparent: string | undefined;
  /** Held against when the organization has no cap of its own. */
  readonly defaultQueueCap: number;
}

/**
 * - `admitted`: everything is written.
 * - `remembered`: another request with the same key was first; nothing is written, `recall` answers.
 * - `queue_full`: nothing is written.
 */
export type AdmissionOutcome = 'admitted' | 'remembered' | 'queue_full';

const claimParameters = 7;
const eventParameters = claimParameters + 1;
const jobParameters = eventParameters + 6;
const callParameters = jobParameters + 3;

const jobId = `$${jobParameters}::text`;
const traceparent = `$${jobParameters + 1}::text`;
const queueCap = `$${jobParameters + 2}::integer`;
const callId = `$${callParameters}::text`;
const organizationId = `$${callParameters + 1}::text`;
const agentId = `$${callParameters + 3}::text`;

/** The types of `callColumns`, for a statement that can be prepared. */
const columnTypes: Partial<Record<(typeof callColumns)[number], string>> = {
  resource_seq: 'integer',
  policy_rules: 'text[]',
  publication_version: 'integer',
  recording_enabled: 'boolean',
  cost_micros_per_minute: 'bigint',
  duration_seconds: 'integer',
  cost_micros: 'bigint',
};

const callParameter = (column: (typeof callColumns)[number], index: number): string => {
  const type = columnTypes[column] ?? (column.endsWith('_at') ? 'timestamptz' : 'text');
  return `$${callParameters + index}::${type}`;
};

/**
 * The whole admission in one statement, so one transaction and one round trip. Each step reads from the one before, which
 * fixes the order: the memory of the key first, the organization's hot row last, held for the commit alone. When that row
 * says no, refuse_admission takes everything back. The caps of the row are exact: its update sees the last commit.
 */
const statementText = (claim: string): string => `
  with ${claim}, ${eventRows(eventParameters)},
  call as (
    insert into calls (${callColumns.join(', ')})
    select ${callColumns.map(callParameter).join(', ')} from idempotency_won
    returning 1
  ), ${eventInserts(callId, organizationId, traceparent, 'cross join call')},
  lane_lock as (select ${laneLock(organizationId)} from call where ${jobId} is not null),
  lane as (${laneRow(organizationId, 'lane_lock')}),
  job as (
    insert into jobs (job_id, organization_id, call_id, agent_id, kind, available_at)
    select ${jobId}, ${organizationId}, ${callId}, ${agentId}, 'call',
           coalesce($${callParameters + callColumns.indexOf('scheduled_at')}::timestamptz, now())
    from lane_lock
    returning 1
  ), counted as (
    insert into organization_controls as hot (organization_id, queued)
    select ${organizationId}, 1 from job
    where (select count(*) from log) + (select count(*) from announced) + (select count(*) from lane) >= 0
    on conflict (organization_id) do update set queued = hot.queued + 1
    where hot.queued < coalesce(hot.queue_cap, ${queueCap})
    returning 1
  )
  select exists (select 1 from call) as admitted,
         case when exists (select 1 from job) and not exists (select 1 from counted)
              then refuse_admission('queue_full') end`;

/** Writes an admission whole or not at all. */
export async function admitCall(db: Queryable, admission: Admission): Promise<AdmissionOutcome> {
  const { request, answer, call, events } = admission;
  const claim = claimFragment(request, answer, { firstParameter: 1 });
  const text = (statement ??= statementText(claim.text));
  const values = [
    ...claim.values,
    ...eventValues(events),
    admission.jobId,
    admission.traceparent ?? null,
    admission.defaultQueueCap,
    ...callValues(call),
  ];
  try {
    const { rows } = await db.query<{ admitted: boolean }>({ name: 'call-admit', text, values });
    return rows[0]?.admitted === true ? 'admitted' : 'remembered';
  } catch (error) {
    if (isRefusal(error, 'queue_full')) return 'queue_full';
    throw error;
  }
}

/** Built once: the fragment's text never changes. */
let statement: string | undefined;

/** In the order of `callColumns`. */
function callValues(call: Call): unknown[] {
  return [
    call.callId,
    call.organizationId,
    call.projectId,
    call.agentId,
    call.direction,
    call.from,
    call.to,
    call.status,
    call.resourceSeq,
    call.endedReason,
    call.reasonDetail,
    call.policy.verdict,
    call.policy.rules,
    call.mode,
    call.publicationVersion,
    call.publicationSha256,
    call.tuning,
    call.language,
    call.recordingEnabled,
    call.costMicrosPerMinute,
    call.classification,
    call.classificationDetail,
    call.variables,
    call.metadata,
    call.createdAt,
    call.scheduledAt,
    call.queuedAt,
    call.dialingAt,
    call.answeredAt,
    call.mediaStartedAt,
    call.endedAt,
    call.completedAt,
    call.failedAt,
    call.canceledAt,
    call.updatedAt,
    call.durationSeconds,
    call.costMicros,
  ];
}
