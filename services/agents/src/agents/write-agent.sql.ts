import { publishedConfiguration } from './publication-decision.rules';
import type { Rendered } from './rendered.rules';
import type { StoredAgent } from './stored-agent.rules';
import { writtenValues } from './agent-row.sql';
import type { Queryable } from '@parley/runtime';

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
             where organization_id = $1 and agent_id = $2 and revision = $30
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
