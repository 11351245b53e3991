import type { Queryable } from '@parley/runtime';

/** The data for the read of an agent's variables. */
export interface VariablesRow {
  readonly revision: number;
  readonly variables: string | null;
  readonly published_version: number;
  readonly published_at: Date | null;
}

export async function findVariables(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<VariablesRow | undefined> {
  const { rows } = await db.query<VariablesRow>({
    name: 'agent-variables',
    text: `select revision, variables, published_version, published_at from agents where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
  return rows[0];
}
