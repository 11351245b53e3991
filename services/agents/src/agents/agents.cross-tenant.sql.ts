import { renderedForm } from './agent-row.sql';
import type { Queryable } from '@parley/runtime';

/**
 * The organization that owns an agent, for operators who name none and to tell a foreign record from an absent one on
 * writes. With that of a message template it is the only statement of a request that is not bound to an organization, and it returns nothing but the owner.
 */
export async function findOwner(db: Queryable, agentId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'agent-owner',
    text: 'select organization_id from agents where agent_id = $1',
    values: [agentId],
  });
  return rows[0]?.organization_id;
}

export interface ClearHeadersAgent {
  readonly organization_id: string;
  readonly agent_id: string;
}

/** Agents of every organization, in the order of their ids, whose document may hold header values in the clear. @param after the last id seen */
export async function findClearHeaders(db: Queryable, after: string, limit: number): Promise<ClearHeadersAgent[]> {
  const { rows } = await db.query<ClearHeadersAgent>({
    name: 'agents-clear-headers',
    text: `select organization_id, agent_id from agents
      where document like '%"headers":{"%' and agent_id > $1 order by agent_id limit $2`,
    values: [after, limit],
  });
  return rows;
}

/** Whether a record of each kind that this service creates still exists: its remembered answer is kept as long. */
export const rememberedRecords: Readonly<Record<string, string>> = {
  agt: 'exists (select 1 from agents where agent_id = idempotency.record_id)',
};

export interface StaleAgent {
  readonly organization_id: string;
  readonly agent_id: string;
}

/**
 * Agents of every organization whose projection another catalogue computed, in two ranges, because an index knows no "not equal"; and those whose reads were
 * rendered in an earlier form.
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
