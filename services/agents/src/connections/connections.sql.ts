import type { Queryable } from '@parley/runtime';

export interface ConnectionRow {
  readonly organization_id: string;
  readonly connection_id: string;
  readonly project_id: string;
  readonly revision: number;
  /** ConnectionRecord as JSON text. */
  readonly view: string;
  /** Encrypted; null if the connection needs none. */
  readonly secret: Buffer | null;
  readonly created_at: Date;
}

const columns = 'organization_id, connection_id, project_id, revision, view, secret, created_at';

export async function insertConnection(
  tx: Queryable,
  row: Omit<ConnectionRow, 'revision' | 'created_at'> & { readonly created_at: string },
): Promise<void> {
  await tx.query({
    name: 'connection-insert',
    text: `insert into connections (organization_id, connection_id, project_id, revision, view, secret, created_at)
           values ($1, $2, $3, 1, $4, $5, $6)`,
    values: [row.organization_id, row.connection_id, row.project_id, row.view, row.secret, row.created_at],
  });
}

export async function findConnection(
  db: Queryable,
  organizationId: string,
  connectionId: string,
): Promise<(ConnectionRow & { readonly now: Date }) | undefined> {
  const { rows } = await db.query<ConnectionRow & { now: Date }>({
    name: 'connection-find',
    text: `select ${columns}, now() as now from connections where organization_id = $1 and connection_id = $2`,
    values: [organizationId, connectionId],
  });
  return rows[0];
}

/** Returns the organization's connections with these ids, in no particular order. */
export async function findConnections(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ConnectionRow[]> {
  const { rows } = await db.query<ConnectionRow>({
    name: 'connections-find',
    text: `select ${columns} from connections where organization_id = $1 and connection_id = any($2::text[])`,
    values: [organizationId, ids],
  });
  return rows;
}

/** Keeps connections of a project from being deleted until the transaction ends. @returns how many of them exist */
export async function holdConnections(
  tx: Queryable,
  organizationId: string,
  projectId: string,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await tx.query({
    name: 'connections-hold',
    text: `select 1 from connections
           where organization_id = $1 and project_id = $2 and connection_id = any($3::text[])
           order by connection_id for key share`,
    values: [organizationId, projectId, ids],
  });
  return rows.length;
}

/** Waits for saves that hold the connection. Later ones wait until the transaction ends. */
export async function lockConnection(tx: Queryable, organizationId: string, connectionId: string): Promise<void> {
  await tx.query({
    name: 'connection-lock',
    text: `select 1 from connections where organization_id = $1 and connection_id = $2 for update`,
    values: [organizationId, connectionId],
  });
}

/** @returns false if another change was faster and nothing was written */
export async function writeConnection(
  tx: Queryable,
  organizationId: string,
  connectionId: string,
  { revision, view, secret }: Pick<ConnectionRow, 'revision' | 'view' | 'secret'>,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'connection-update',
    text: `update connections set revision = revision + 1, view = $4, secret = $5
           where organization_id = $1 and connection_id = $2 and revision = $3`,
    values: [organizationId, connectionId, revision, view, secret],
  });
  return rowCount === 1;
}

/** @returns false if another change was faster and nothing was deleted */
export async function removeConnection(
  tx: Queryable,
  organizationId: string,
  connectionId: string,
  revision: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'connection-delete',
    text: `delete from connections
           where organization_id = $1 and connection_id = $2 and revision = $3`,
    values: [organizationId, connectionId, revision],
  });
  return rowCount === 1;
}

/** Returns an agent in the connection's project whose configuration uses it; undefined if there is none. */
export async function findAgentNaming(
  tx: Queryable,
  organizationId: string,
  projectId: string,
  connectionId: string,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ agent_id: string }>({
    name: 'connection-agent-naming',
    text: `select agent_id from agents where organization_id = $1 and project_id = $2
             and strpos(document, '"connection_id":"' || $3::text || '"') > 0
           order by created_at desc limit 1`,
    values: [organizationId, projectId, connectionId],
  });
  return rows[0]?.agent_id;
}

/** Returns connections newest first, one more than the limit if there are more. */
export async function listConnectionViews(
  db: Queryable,
  organizationId: string,
  page: {
    readonly limit: number;
    /** Undefined: all projects. */
    readonly projectId: string | undefined;
    readonly after: { readonly createdAt: string; readonly connectionId: string } | undefined;
  },
): Promise<ConnectionRow[]> {
  const { projectId, limit, after } = page;
  const { rows } = await db.query<ConnectionRow>({
    name: projectId === undefined ? 'connection-list' : 'connection-list-project',
    text: `select ${columns} from connections
           where organization_id = $1 and (created_at, connection_id) < ($2::timestamptz, $3)
             ${projectId === undefined ? '' : 'and project_id = $5'}
           order by created_at desc, connection_id desc limit $4::integer + 1`,
    values: [
      organizationId,
      after?.createdAt ?? 'infinity',
      after?.connectionId ?? '',
      limit,
      ...(projectId === undefined ? [] : [projectId]),
    ],
  });
  return rows;
}

/** The database's clock (ISO 8601, milliseconds). */
export async function databaseTime(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ now: Date }>({ name: 'database-time', text: 'select now() as now' });
  return (rows[0]?.now ?? new Date(NaN)).toISOString();
}
