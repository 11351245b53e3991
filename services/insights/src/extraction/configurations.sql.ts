import type { Queryable } from '@parley/runtime';

export interface ConfigurationRow {
  readonly organizationId: string;
  readonly agentId: string;
  readonly revision: number;
  /** JSON; null if the configuration was deleted. */
  readonly document: string | null;
  readonly updatedAt: Date;
}

interface Row {
  readonly organization_id: string;
  readonly agent_id: string;
  readonly revision: number;
  readonly document: string | null;
  readonly updated_at: Date;
}

const rowOf = (row: Row | undefined): ConfigurationRow | undefined =>
  row && {
    organizationId: row.organization_id,
    agentId: row.agent_id,
    revision: row.revision,
    document: row.document,
    updatedAt: row.updated_at,
  };

export async function findConfiguration(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<ConfigurationRow | undefined> {
  const { rows } = await db.query<Row>({
    name: 'extraction-configuration',
    text: `select organization_id, agent_id, revision, document, updated_at from extraction_configurations
           where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
  return rowOf(rows[0]);
}

/** Returns the configuration, locked until the transaction ends. */
export async function lockConfiguration(
  tx: Queryable,
  organizationId: string,
  agentId: string,
): Promise<ConfigurationRow | undefined> {
  const { rows } = await tx.query<Row>({
    name: 'extraction-configuration-lock',
    text: `select organization_id, agent_id, revision, document, updated_at from extraction_configurations
           where organization_id = $1 and agent_id = $2 for update`,
    values: [organizationId, agentId],
  });
  return rowOf(rows[0]);
}

/** Replaces the document; null deletes it. Each write creates a new revision. */
export async function putConfiguration(
  tx: Queryable,
  organizationId: string,
  agentId: string,
  document: string | null,
): Promise<ConfigurationRow> {
  const { rows } = await tx.query<Row>({
    name: 'extraction-configuration-put',
    text: `insert into extraction_configurations as c (organization_id, agent_id, document) values ($1, $2, $3)
           on conflict (agent_id) do update
             set document = excluded.document, revision = c.revision + 1, updated_at = clock_timestamp()
             where c.organization_id = $1
           returning organization_id, agent_id, revision, document, updated_at`,
    values: [organizationId, agentId, document],
  });
  const row = rowOf(rows[0]);
  if (row === undefined) throw new Error(`${agentId} belongs to another organization`);
  return row;
}
