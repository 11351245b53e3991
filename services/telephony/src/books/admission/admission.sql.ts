import { callPriorities } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { CallEvent } from '../calls/call-event.rules';
import { announcement } from '../calls/call-events.sql';
import type { Call } from '../calls/call.rules';
import { queueLock, queueRow } from '../queue/organization-queue.sql';
import type { Admission, BatchWrite } from './admissions.rules';

// Spans halls: caps are exact only if call, job, idempotency key, events and counter row are written by one statement.

/** A column of the unnested rows: its name, its PostgreSQL type, and its value. */
type Column<Row> = readonly [name: string, type: string, value: (row: Row) => unknown];

const callValues: readonly Column<Admission>[] = [
  ['call_id', 'text', ({ call }) => call.callId],
  ['to_number', 'text', ({ call }) => call.to],
  ['from_number', 'text', ({ call }) => call.from],
  ['status', 'text', ({ call }) => call.status],
  ['resource_seq', 'integer', ({ call }) => call.resourceSeq],
  ['policy_verdict', 'text', ({ call }) => call.policy.verdict],
  // PostgreSQL requires nested arrays to be rectangular, so lists are joined; rule ids contain no comma.
  ['rules', 'text', ({ call }) => call.policy.rules.join(',')],
  ['policy_notes', 'text', ({ call }) => call.policy.notes ?? null],
  ['language', 'text', ({ call }) => call.language],
  ['callee_zone', 'text', ({ call }) => call.calleeZone],
  ['variables', 'text', ({ call }) => call.variables],
  ['metadata', 'text', ({ call }) => call.metadata],
  ['carrier', 'text', ({ call }) => call.carrier],
  ['simulator_pace', 'text', ({ call }) => call.simulatorPace],
  // Capabilities contain no comma.
  ['needs', 'text', ({ call }) => call.needs.join(',')],
  ['simulated', 'text', ({ call }) => call.componentsSimulated.join(',')],
  ['scheduled_at', 'timestamptz', ({ call }) => call.scheduledAt?.toISOString() ?? null],
  ['hold_micros', 'bigint', ({ call }) => call.holdMicros],
  ['job_id', 'text', ({ jobId }) => jobId],
  ['priority', 'smallint', ({ priority }) => callPriorities.indexOf(priority)],
  ['dialer', 'text', ({ dialer }) => dialer],
  ['key', 'text', ({ request }) => request.key],
  ['fingerprint', 'bytea', ({ request }) => request.fingerprint],
  ['traceparent', 'text', ({ traceparent }) => traceparent ?? null],
  ['data', 'text', ({ rendered }) => rendered],
  ['placed_by', 'text', ({ placedBy }) => placedBy],
  ['consent', 'boolean', ({ consent }) => consent],
  ['asked_language', 'text', ({ language }) => language ?? null],
];

/** Columns with the same values for calls of one agent; sent once per batch. */
const pinValues: readonly Column<Call>[] = [
  ['project_id', 'text', (call) => call.projectId],
  ['agent_id', 'text', (call) => call.agentId],
  ['mode', 'text', (call) => call.mode],
  ['publication_version', 'integer', (call) => call.publicationVersion],
  ['publication_sha256', 'text', (call) => call.publicationSha256],
  ['tuning', 'text', (call) => call.tuning],
  ['recording_enabled', 'boolean', (call) => call.recordingEnabled],
  ['cost_micros_per_minute', 'bigint', (call) => call.costMicrosPerMinute],
];

interface PlacedEvent {
  readonly place: number;
  readonly event: CallEvent;
}

const eventValues: readonly Column<PlacedEvent>[] = [
  ['place', 'integer', ({ place }) => place],
  ['event_id', 'text', ({ event }) => event.eventId],
  ['type', 'text', ({ event }) => event.type],
  ['seq', 'integer', ({ event }) => event.resourceSeq],
  ['subject', 'text', ({ event }) => event.subject],
  ['head', 'text', ({ event }) => event.head],
];

const namesOf = <Row>(columns: readonly Column<Row>[]): string => columns.map(([name]) => name).join(', ');
const arraysOf = <Row>(columns: readonly Column<Row>[], first: number): string =>
  columns.map(([, type], index) => `$${first + index}::${type}[]`).join(', ');
const valuesOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): unknown[][] =>
  columns.map(([, , value]) => rows.map(value));

const itemsFirst = 15;
const pinsFirst = itemsFirst + callValues.length;
const eventsFirst = pinsFirst + pinValues.length;

/**
 * Writes a whole batch in one statement, so in one transaction and one round trip. It locks the queue first and then the counter row. All inserts select from
 * the counter row, so nothing is written if its revision is not the one on which the batch was decided. A key that was taken in the meantime rolls everything
 * back. Rows are written in the order of arrival. If the counter row is already locked, the queue is locked too and is not touched again: a claim may have
 * updated the queue since and now wait for the counter row, so locking the queue again would wait for that claim.
 */
const batchText = `
  with queue_lock as materialized (select ${queueLock('$1::text')} where $14::boolean),
  queue as (
    ${queueRow('$1::text', 'queue_lock')}
  ), hot as (
    update organization_controls set revision = revision + 1, queued = queued + $4::integer, live = live + $5::integer,
      reserved_micros = reserved_micros + $6::bigint,
      spend_micros = case when spend_day = $8::date then spend_micros else 0 end + $7::bigint, spend_day = $8::date,
      recent = $9::text
    where organization_id = $1 and revision = $3::bigint
      and (select count(*) from queue) >= 0
    returning billing
  ), pin as materialized (
    select * from unnest(${arraysOf(pinValues, pinsFirst)}) with ordinality as given (${namesOf(pinValues)}, pin)
  ), item as materialized (
    select given.*, pin.agent_id, hot.billing, $10::timestamptz as now from hot cross join
      unnest($13::integer[], ${arraysOf(callValues, itemsFirst)}) with ordinality
        as given (pin, ${namesOf(callValues)}, place)
      join pin using (pin)
  ), claimed as (
    insert into idempotency (organization_id, route, key, fingerprint, status, body, record_id)
    select $1::text, $2::text, key, fingerprint, 201, data, call_id from item where key <> '' order by place
    on conflict (organization_id, route, key) do nothing returning 1
  ), call as (
    insert into calls (organization_id, call_id, project_id, agent_id, direction, from_number, to_number, status,
      resource_seq, policy_verdict, policy_rules, policy_notes, mode, publication_version, publication_sha256, tuning,
      language, recording_enabled, cost_micros_per_minute, variables, metadata, created_at, scheduled_at, queued_at,
      updated_at, hold_micros, hold_day, hold_reserved, priority, placed_by, carrier, simulator_pace, needs,
      components_simulated, callee_zone)
    select $1::text, call_id, project_id, item.agent_id, 'outbound', from_number, to_number, status,
      resource_seq, policy_verdict, string_to_array(rules, ','), policy_notes, mode, publication_version,
      publication_sha256, tuning, language, recording_enabled, cost_micros_per_minute, variables, metadata, now,
      scheduled_at, case when status = 'queued' then now end, now, hold_micros,
      case when hold_micros is not null then $8::date end, hold_micros is not null and billing = 'prepaid', priority,
      placed_by, carrier, simulator_pace, string_to_array(needs, ','), string_to_array(simulated, ','), callee_zone
    from item join pin using (pin) order by place
  ), job as (
    insert into jobs (organization_id, job_id, call_id, agent_id, kind, available_at, priority, needs, dialer)
    select $1::text, job_id, call_id, agent_id, 'call', now, priority,
      string_to_array(needs, ','), dialer
    from item where job_id is not null order by place
  ), scheduled as (
    insert into scheduled_calls (organization_id, call_id, agent_id, check_at, consent, language, traceparent)
    select $1::text, call_id, agent_id, scheduled_at, consent, asked_language, traceparent
    from item where status = 'scheduled' order by place
  ), event as materialized (
    select item.call_id, item.traceparent, given.*, given.head || item.data || '}' as payload, item.now
    from unnest(${arraysOf(eventValues, eventsFirst)}) as given (${namesOf(eventValues)}) join item using (place)
  ), log as (
    insert into call_events (organization_id, call_id, resource_seq, event_id, type, payload, created_at)
    select $1::text, call_id, seq, event_id, type, payload, now from event order by place, seq
  ), announced as (
    ${announcement({ callId: 'call_id', traceparent: 'traceparent', resourceSeq: 'seq' }, 'event order by place, seq')}
  )
  select exists (select 1 from hot) as held,
         case when exists (select 1 from hot) and (select count(*) from claimed) <> $11::integer
              then refuse_admission($12::text) end`;

/** Whether the batch was written. @throws a refusal `key_taken` */
export async function insertAdmissions(
  db: Queryable,
  organizationId: string,
  { admissions, revision, change, queueTaken }: BatchWrite,
): Promise<boolean> {
  const [first] = admissions;
  if (first === undefined) return true;
  const { pins, pinOf } = pinsOf(admissions);
  const events = admissions.flatMap(({ events: reported }, index) =>
    reported.map((event) => ({ place: index + 1, event })),
  );
  const values = [
    organizationId,
    first.request.route,
    revision,
    change.queued,
    change.live,
    change.reservedMicros,
    change.spendMicros,
    change.spendDay,
    change.recent,
    first.call.createdAt,
    admissions.filter(({ request }) => request.key !== '').length,
    'key_taken',
    pinOf,
    change.queued > 0 && !queueTaken,
    ...valuesOf(callValues, admissions),
    ...valuesOf(pinValues, pins),
    ...valuesOf(eventValues, events),
  ];
  const { rows } = await db.query<{ held: boolean }>({ name: 'admission-batch', text: batchText, values });
  return rows[0]?.held === true;
}

/** One representative per distinct pinned configuration, and for each admission the index of its representative (from 1). */
function pinsOf(admissions: readonly Admission[]): { pins: Call[]; pinOf: number[] } {
  const pins: Call[] = [];
  const pinOf = admissions.map(({ call }) => {
    const known = pins.findIndex((pin) => pinValues.every(([, , value]) => value(pin) === value(call)));
    return known >= 0 ? known + 1 : pins.push(call);
  });
  return { pins, pinOf };
}
