import { claimFragment, type CreatingRequest } from '@parley/idempotency';
import type { Queryable } from '@parley/runtime';
import type { Call } from '../domain/call';
import type { CallEvent } from '../domain/call-event';
import type { callColumns } from './call-rows';
import { eventInserts, eventRows, eventValues } from './call-events';
import { isRefusal } from './refusal';
import { laneLock, laneRow } from './lanes';

export interface Admission {
  readonly request: CreatingRequest;
  readonly call: Call;
  /** JSON of the call as it is created: what the client and every replay are answered, and the data of the events. */
  readonly rendered: string;
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

/** The columns that a call has when it is created, with their types; all others are null or zero until a step is reached. */
const created = {
  call_id: 'text',
  organization_id: 'text',
  project_id: 'text',
  agent_id: 'text',
  direction: 'text',
  from_number: 'text',
  to_number: 'text',
  status: 'text',
  resource_seq: 'integer',
  policy_verdict: 'text',
  policy_rules: 'text[]',
  mode: 'text',
  publication_version: 'integer',
  publication_sha256: 'text',
  tuning: 'text',
  language: 'text',
  recording_enabled: 'boolean',
  cost_micros_per_minute: 'bigint',
  variables: 'text',
  metadata: 'text',
  created_at: 'timestamptz',
  scheduled_at: 'timestamptz',
  queued_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const satisfies Partial<Record<(typeof callColumns)[number], string>>;

/** In the order of `created`. */
function createdValues(call: Call): unknown[] {
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
    call.policy.verdict,
    call.policy.rules,
    call.mode,
    call.publicationVersion,
    call.publicationSha256,
    call.tuning,
    call.language,
    call.recordingEnabled,
    call.costMicrosPerMinute,
    call.variables,
    call.metadata,
    call.createdAt,
    call.scheduledAt,
    call.queuedAt,
    call.updatedAt,
  ];
}

type CreatedColumn = keyof typeof created;

const createdColumns = Object.keys(created) as CreatedColumn[];
const claimFirst = 1;
const eventsFirst = claimFirst + 7;
const restFirst = eventsFirst + 6;
const columnsFirst = restFirst + 4;

const [rendered, jobId, traceparent, queueCap] = ['text', 'text', 'text', 'integer'].map(
  (type, index) => `$${restFirst + index}::${type}`,
) as [string, string, string, string];

const column = (name: CreatedColumn): string => `$${columnsFirst + createdColumns.indexOf(name)}::${created[name]}`;
const organizationId = column('organization_id');

/**
 * The whole admission in one statement, so one transaction and one round trip. Each step reads from the one before, which
 * fixes the order: the memory of the key first, the organization's hot row last, held for the commit alone (the counts
 * in its condition are there for the order only). When that row says no, refuse_admission takes everything back. Its caps
 * are exact: the update sees the last commit.
 */
const statementText = (claim: string): string => `
  with ${claim}, ${eventRows(eventsFirst, rendered)},
  call as (
    insert into calls (${createdColumns.join(', ')})
    select ${createdColumns.map(column).join(', ')} from idempotency_won
    returning 1
  ), ${eventInserts(column('call_id'), organizationId, traceparent, 'cross join call')},
  lane_lock as (select ${laneLock(organizationId)} from call where ${jobId} is not null),
  lane as (${laneRow(organizationId, 'lane_lock')}),
  job as (
    insert into jobs (job_id, organization_id, call_id, agent_id, kind, available_at)
    select ${jobId}, ${organizationId}, ${column('call_id')}, ${column('agent_id')}, 'call',
           coalesce(${column('scheduled_at')}, now())
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

/** Built once: the fragment's text never changes. */
let statement: string | undefined;

/** Writes an admission whole or not at all. */
export async function admitCall(db: Queryable, admission: Admission): Promise<AdmissionOutcome> {
  const { request, call, events } = admission;
  const answer = { status: 201, body: '', recordId: call.callId };
  const claim = claimFragment(request, answer, { firstParameter: claimFirst, bodyExpression: rendered });
  const text = (statement ??= statementText(claim.text));
  const values = [
    ...claim.values,
    ...eventValues(events),
    admission.rendered,
    admission.jobId,
    admission.traceparent ?? null,
    admission.defaultQueueCap,
    ...createdValues(call),
  ];
  try {
    const { rows } = await db.query<{ admitted: boolean }>({ name: 'call-admit', text, values });
    return rows[0]?.admitted === true ? 'admitted' : 'remembered';
  } catch (error) {
    if (isRefusal(error, 'queue_full')) return 'queue_full';
    throw error;
  }
}
