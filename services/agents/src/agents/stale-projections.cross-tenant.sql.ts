import { renderedForm } from './agent-row.sql';
import type { Queryable } from '@parley/runtime';

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
