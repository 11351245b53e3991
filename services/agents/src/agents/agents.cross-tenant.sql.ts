import { renderedForm } from './agent-row.sql';
import type { Queryable } from '@parley/runtime';

/**
 * Returns the organization that owns an agent: for operators who name none, and on writes to distinguish another organization's agent from an absent one. Among
 * the statements that serve requests only this one and its equivalent for message templates are not restricted to an organization. It returns nothing but the
 * owner.
 */
export async function findOwner(db: Queryable, agentId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'agent-owner',
    text: 'select organization_id from agents where agent_id = $1',
    values: [agentId],
  });
  return rows[0]?.organization_id;
}

/** For each kind of record that this service creates: a condition that the record still exists. Its stored response is kept as long. */
export const recordExists: Readonly<Record<string, string>> = {
  agt: 'exists (select 1 from agents where agent_id = idempotency.record_id)',
};

export interface StaleAgent {
  readonly organization_id: string;
  readonly agent_id: string;
}

/**
 * Returns agents of all organizations whose projection was computed with another catalogue version, or whose views were rendered in an earlier format. The
 * versions are compared with two ranges, because an index does not support "not equal".
 */
export async function findStaleProjections(
  db: Queryable,
  catalogueVersion: string,
  limit: number,
): Promise<StaleAgent[]> {
  const { rows } = await db.query<StaleAgent>({
    name: 'stale-projections',
    text: `(select organization_id, agent_id from agents where catalogue_version < $1 limit $2)
           union all
           (select organization_id, agent_id from agents where catalogue_version > $1 limit $2)
           union
           (select organization_id, agent_id from agents where rendered < $3 limit $2)`,
    values: [catalogueVersion, limit, renderedForm],
  });
  return rows;
}

export interface SealedAgent {
  readonly organization_id: string;
  readonly agent_id: string;
  readonly document: string;
  readonly tuning: string;
  readonly tool_secrets: string;
}

/** Returns agents of all organizations that contain encrypted values, ordered by id. @param after the last id of the previous batch */
export async function findSealedAgents(db: Queryable, after: string, limit: number): Promise<SealedAgent[]> {
  const { rows } = await db.query<SealedAgent>({
    name: 'agents-sealed',
    text: `select organization_id, agent_id, document, tuning, tool_secrets from agents
      where (tool_secrets <> '{}' or document like '%"sealed_headers":{"%') and agent_id > $1 order by agent_id limit $2`,
    values: [after, limit],
  });
  return rows;
}

/** Replaces an agent's encrypted values, unless the agent has changed since it was read. */
export async function replaceSealed(
  db: Queryable,
  before: SealedAgent,
  [document, tuning, toolSecrets]: readonly [string, string, string],
): Promise<void> {
  await db.query({
    name: 'agent-sealed-replace',
    text: `update agents set document = $3, tuning = $4, tool_secrets = $5
      where organization_id = $1 and agent_id = $2 and document = $6 and tuning = $7 and tool_secrets = $8`,
    values: [
      before.organization_id,
      before.agent_id,
      ...[document, tuning, toolSecrets],
      ...[before.document, before.tuning, before.tool_secrets],
    ],
  });
}
