import { outboxInsert, type OutboxEvent } from '@parley/outbox';
import type { Queryable } from '@parley/runtime';
import type { CreatingRequest } from '@parley/service';
import { renderedForm } from './agent-row.sql';
import { viewBeforeTimes, type Rendered } from './rendered.rules';
import type { StoredAgent } from './stored-agent.rules';

export interface NewAgent {
  /** Never published; without its times. */
  readonly agent: StoredAgent;
  readonly rendered: Rendered;
  /** Its creation, from `auditEventBeforeTime`. */
  readonly act: OutboxEvent;
  readonly creating: CreatingRequest;
}

/** The values of one new agent, with the types of their columns. */
const given: readonly (readonly [name: string, type: string, of: (one: NewAgent) => unknown])[] = [
  ['agent_id', 'text', ({ agent }) => agent.agentId],
  ['project_id', 'text', ({ agent }) => agent.projectId],
  ['status', 'text', ({ agent }) => agent.status],
  ['revision', 'integer', ({ agent }) => agent.revision],
  ['language_profile_revision', 'integer', ({ agent }) => agent.languageProfileRevision],
  ['document', 'text', ({ agent }) => JSON.stringify(agent.document)],
  ['view_before_times', 'text', ({ rendered }) => viewBeforeTimes(rendered)],
  ['voice_stack_view', 'text', ({ rendered }) => rendered.voiceStackView],
  ['tuning', 'text', ({ rendered }) => rendered.tuning],
  ['projection', 'text', ({ agent }) => JSON.stringify(agent.compiled.projection)],
  ['catalogue_version', 'text', ({ agent }) => agent.compiled.catalogueVersion],
  ['cost_micros_per_minute', 'integer', ({ agent }) => agent.compiled.costMicrosPerMinute],
  ['mode', 'text', ({ agent }) => agent.document.mode],
  ['language', 'text', ({ agent }) => agent.document.language ?? ''],
  ['recording_enabled', 'boolean', ({ agent }) => agent.document.recording_enabled],
  ['variables', 'text', ({ agent: { document } }) => textOf(document.variables)],
  ['tool_secrets', 'text', ({ agent }) => JSON.stringify(agent.toolSecrets)],
  ['act_id', 'text', ({ act }) => act.id],
  ['act_stream', 'text', ({ act }) => act.stream],
  ['act_subject', 'text', ({ act }) => act.subject],
  ['act_before_time', 'text', ({ act }) => act.payload],
  ['act_traceparent', 'text', ({ act }) => act.traceparent ?? null],
  ['route', 'text', ({ creating }) => creating.route],
  ['key', 'text', ({ creating }) => creating.key],
  ['fingerprint', 'bytea', ({ creating }) => creating.fingerprint],
];

const textOf = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));

/** The columns that `given` and the table have in common; the others have their defaults: the agent was never published. */
const copied = given.slice(0, 17).filter(([name]) => name !== 'view_before_times');
const copiedNames = copied.map(([name]) => name).join(', ');

const names = given.map(([name]) => name).join(', ');

const rowText = (row: number): string =>
  `(${given.map(([, type], column) => `$${2 + row * given.length + column}::${type}`).join(', ')})`;

/**
 * Keys are inserted in sorted order, so that two statements with the same keys cannot deadlock. The time is the database's, also as text: ISO 8601 with
 * milliseconds as JavaScript formats it, for the view and for cursors of lists.
 */
const textFor = (count: number): string => `with given (${names}) as (
    values ${Array.from({ length: count }, (_, row) => rowText(row)).join(', ')}
  ), written as (
    select given.*, at, iso, view_before_times || format('"created_at":"%1$s","updated_at":"%1$s"}', iso) as view
    from given, (select at, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as iso
      from (select date_trunc('milliseconds', now()) as at) as clock) as moment
  ), stored as (
    insert into idempotency (organization_id, route, key, fingerprint, status, body, record_id)
    select $1, route, key, fingerprint, 201, view, agent_id from written where key <> '' order by route, key
    on conflict (organization_id, route, key) do nothing returning record_id
  ), created as (
    insert into agents (organization_id, ${copiedNames}, view, created_at, updated_at, rendered)
    select $1, ${copiedNames}, view, at, at, ${renderedForm}
    from written where key = '' or agent_id in (select record_id from stored)
    returning agent_id, created_at
  ), audited as (${outboxInsert(
    {
      id: 'act_id',
      stream: 'act_stream',
      subject: 'act_subject',
      payload: `act_before_time || iso || '"}'`,
      traceparent: 'act_traceparent',
      orderingKey: 'act_id',
      orderingSeq: '0',
    },
    'created join written using (agent_id)',
  )})
  select agent_id, created_at from created`;

const texts = new Map<number, string>();

/**
 * Inserts new agents of an organization, the audit event of each and, if a request has a key, the record of its response: one statement, which is its own
 * transaction. Of several requests with the same key only one is inserted; while another transaction inserts under one of the keys, the statement waits for it.
 * @returns for each agent the database's time (ISO 8601) at which it was created; undefined: the key has a response already, and nothing was written for it
 */
export async function insertAgents(
  db: Queryable,
  organizationId: string,
  agents: readonly NewAgent[],
): Promise<readonly (string | undefined)[]> {
  const count = agents.length;
  const text = texts.get(count) ?? textFor(count);
  texts.set(count, text);
  const { rows } = await db.query<{ agent_id: string; created_at: Date }>({
    name: `agents-insert-${count}`,
    text,
    values: [organizationId, ...agents.flatMap((one) => given.map(([, , of]) => of(one)))],
  });
  const times = new Map(rows.map((row) => [row.agent_id, row.created_at.toISOString()]));
  return agents.map(({ agent }) => times.get(agent.agentId));
}
