import { outboxInsert, type OutboxEvent } from '@parley/outbox';
import type { CreatingRequest } from '@parley/service';
import { publishedConfiguration } from './published-configuration.rules';
import { viewBeforeTimes, type Rendered } from './rendered.rules';
import type { StoredAgent } from './stored-agent.rules';
import { writtenValues } from './agent-row.sql';
import type { Queryable } from '@parley/runtime';

/** The database's time, also as text: ISO 8601 with milliseconds as JavaScript formats it, for the view and for cursors of lists. */
const written = `written as (
    select at, iso, $8 || format('"created_at":"%1$s","updated_at":"%1$s"}', iso) as view
    from (select at, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as iso
      from (select date_trunc('milliseconds', now()) as at) as clock) as moment
  )`;

const insertion = `insert into agents (organization_id, agent_id, project_id, status, revision, language_profile_revision, document, view,
    voice_stack_view, tuning, projection, catalogue_version, cost_micros_per_minute, mode, language, recording_enabled, published_version,
    published_sha256, published_at, published_languages, published_follow_caller, published_starting_language, created_at, updated_at,
    variables, suspended_from, tool_secrets, suspension, rendered)
  select $1, $2, $3, $4, $5, $6, $7, written.view, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
    written.at, written.at, $23, $24, $25, $26, $27
  from written`;

/** Adds the audit entry of the created agent, with its creation time. */
const withAct = (
  inserted: string,
): string => `created as (${inserted} returning created_at), audited as (${outboxInsert(
  {
    id: '$28::text',
    stream: '$29::text',
    subject: '$30::text',
    payload: `$31::text || written.iso || '"}'`,
    traceparent: '$32::text',
    orderingKey: '$28::text',
    orderingSeq: '0',
  },
  'created, written',
)})
  select created_at from created`;

const insertAlone = `with ${written}, ${withAct(insertion)}`;

const insertOnce = `with ${written}, stored as (
    insert into idempotency (organization_id, route, key, fingerprint, status, body, record_id)
    select $1, $33, $34, $35, 201, written.view, $2 from written
    on conflict (organization_id, route, key) do nothing returning record_id
  ), ${withAct(`${insertion} where exists (select from stored)`)}`;

/**
 * Inserts a new agent, its audit entry and, if the request has an Idempotency-Key, the stored response, in one atomic statement. While another request inserts
 * under the same key, this one waits until that transaction ends.
 * @param agent without its times
 * @param act the audit entry of the creation, from `auditEventBeforeTime`
 * @returns the database's time (ISO 8601) at which the agent was created; undefined if a response is already stored for the key and nothing was written
 */
export async function insertAgent(
  db: Queryable,
  agent: StoredAgent,
  rendered: Rendered,
  act: OutboxEvent,
  { route, key, fingerprint }: CreatingRequest,
): Promise<string | undefined> {
  const columns = writtenValues(agent, { ...rendered, view: viewBeforeTimes(rendered) });
  const values = [
    ...columns.slice(0, 22),
    ...columns.slice(24),
    ...[act.id, act.stream, act.subject, act.payload, act.traceparent ?? null],
  ];
  const { rows } = await db.query<{ created_at: Date }>(
    key === ''
      ? { name: 'agent-insert', text: insertAlone, values }
      : { name: 'agent-insert-once', text: insertOnce, values: [...values, route, key, fingerprint] },
  );
  return rows[0]?.created_at.toISOString();
}

/**
 * The only commit point of a change: one statement writes the document, the views, the pointer to the publication and, if the version changed, its history
 * entry. It takes effect only if the agent still has the revision that was read.
 * @returns false if another change was faster and nothing was written
 */
export async function commitChange(
  db: Queryable,
  before: StoredAgent,
  after: StoredAgent,
  rendered: Rendered,
): Promise<boolean> {
  const { rows } = await db.query<{ changed: number }>({
    name: 'agent-change',
    text: `with changed as (
             update agents set project_id = $3, status = $4, revision = $5, language_profile_revision = $6, document = $7, view = $8,
               voice_stack_view = $9, tuning = $10, projection = $11, catalogue_version = $12, cost_micros_per_minute = $13,
               mode = $14, language = $15, recording_enabled = $16, published_version = $17, published_sha256 = $18,
               published_at = $19, published_languages = $20, published_follow_caller = $21, published_starting_language = $22,
               created_at = $23, updated_at = $24, variables = $25, suspended_from = $26,
               tool_secrets = $27, suspension = $28, rendered = $29
             where (organization_id = $1) is true and agent_id = $2 and revision = $30
             returning organization_id, agent_id, published_version, published_sha256, published_languages, catalogue_version, published_at
           ), recorded as (
             insert into agent_publications (organization_id, agent_id, version, sha256, languages, catalogue_version, published_at, configuration)
             select organization_id, agent_id, published_version, published_sha256, published_languages, catalogue_version, published_at, $32
             from changed where published_version > $31
           )
           select count(*)::integer as changed from changed`,
    values: [...writtenValues(after, rendered), before.revision, before.published.version, recordedOf(before, after)],
  });
  return rows[0]?.changed === 1;
}

/** The configuration for the history entry of a change that publishes; empty for other changes. */
function recordedOf(before: StoredAgent, after: StoredAgent): string {
  return after.published.version > before.published.version ? publishedConfiguration(after.document) : '';
}

/**
 * Deletes an agent with all its data. Publications and workflow versions are immutable, and this service has no privilege to delete them: a function of the
 * schema's owner deletes them together with the agent.
 * @returns false if the agent has changed and nothing was deleted
 */
export async function removeAgent(
  tx: Queryable,
  organizationId: string,
  agentId: string,
  revision: number,
): Promise<boolean> {
  const { rows } = await tx.query<{ removed: boolean }>({
    name: 'agent-delete',
    text: 'select delete_agent($1, $2, $3) as removed',
    values: [organizationId, agentId, revision],
  });
  return rows[0]?.removed === true;
}
