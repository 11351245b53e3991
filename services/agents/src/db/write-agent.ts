import type { Queryable } from '@parley/runtime';
import { publishedConfiguration } from '../domain/published-configuration';
import type { Rendered } from '../domain/rendered';
import type { StoredAgent } from '../domain/stored-agent';
import { writtenValues } from './agent-row';

export async function insertAgent(tx: Queryable, agent: StoredAgent, rendered: Rendered): Promise<void> {
  await tx.query({
    name: 'agent-insert',
    text: `insert into agents (organization_id, agent_id, project_id, status, revision, language_profile_revision, document, view,
             voice_stack_view, tuning, projection, catalogue_version, cost_micros_per_minute, mode, language, recording_enabled,
             published_version, published_sha256, published_at, published_languages, published_follow_caller,
             published_starting_language, created_at, updated_at, variables, suspended_from, tool_secrets)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27)`,
    values: writtenValues(agent, rendered),
  });
}

/**
 * The one commit point of a change: document, reads, pointer and, where the version moved, its row in the history, in one
 * statement under the revision that the change was made on. False: another change won, and nothing was written.
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
               tool_secrets = $27
             where (organization_id = $1) is true and agent_id = $2 and revision = $28
             returning organization_id, agent_id, published_version, published_sha256, published_languages, catalogue_version, published_at
           ), recorded as (
             insert into agent_publications (organization_id, agent_id, version, sha256, languages, catalogue_version, published_at, configuration)
             select organization_id, agent_id, published_version, published_sha256, published_languages, catalogue_version, published_at, $30
             from changed where published_version > $29
           )
           select count(*)::integer as changed from changed`,
    values: [...writtenValues(after, rendered), before.revision, before.published.version, recordedOf(before, after)],
  });
  return rows[0]?.changed === 1;
}

/** What the history keeps of a change that publishes. */
function recordedOf(before: StoredAgent, after: StoredAgent): string {
  return after.published.version > before.published.version ? publishedConfiguration(after.document) : '';
}
