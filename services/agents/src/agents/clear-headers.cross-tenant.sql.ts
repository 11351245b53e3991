import type { Queryable } from '@parley/runtime';

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
