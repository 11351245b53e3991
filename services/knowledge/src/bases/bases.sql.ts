import type { KnowledgeBaseRecord } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

export interface BaseRow {
  readonly organization_id: string;
  readonly knowledge_base_id: string;
  readonly project_id: string;
  readonly name: string;
  readonly language: string;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = 'organization_id, knowledge_base_id, project_id, name, language, revision, created_at, updated_at';

export const baseView = (row: BaseRow): string =>
  JSON.stringify({
    knowledge_base_id: row.knowledge_base_id,
    organization_id: row.organization_id,
    project_id: row.project_id,
    name: row.name,
    language: row.language,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  } satisfies KnowledgeBaseRecord);

/** Returns how many knowledge bases the organization has. Until this transaction ends, no other one can create or delete one. */
export async function countBases(tx: Queryable, organizationId: string): Promise<number> {
  await tx.query({
    name: 'bases-lock',
    text: `select pg_advisory_xact_lock(7411, hashtext($1))`,
    values: [organizationId],
  });
  const { rows } = await tx.query<{ count: string }>({
    name: 'bases-count',
    text: 'select count(*) from knowledge_bases where organization_id = $1',
    values: [organizationId],
  });
  return Number(rows[0]?.count ?? 0);
}

export async function insertBase(
  tx: Queryable,
  row: Pick<BaseRow, 'organization_id' | 'knowledge_base_id' | 'project_id' | 'name' | 'language'> & {
    readonly config: string;
  },
): Promise<BaseRow> {
  const { rows } = await tx.query<BaseRow>({
    name: 'base-insert',
    text: `insert into knowledge_bases (organization_id, knowledge_base_id, project_id, name, language, config, revision,
             created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, 1, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()))
           returning ${columns}`,
    values: [row.organization_id, row.knowledge_base_id, row.project_id, row.name, row.language, row.config],
  });
  return rows[0] as BaseRow;
}

export async function findBase(
  db: Queryable,
  organizationId: string,
  knowledgeBaseId: string,
): Promise<BaseRow | undefined> {
  const { rows } = await db.query<BaseRow>({
    name: 'base-find',
    text: `select ${columns} from knowledge_bases where (organization_id = $1) is true and knowledge_base_id = $2`,
    values: [organizationId, knowledgeBaseId],
  });
  return rows[0];
}

/** Returns the knowledge base, locked until the transaction ends. */
export async function lockBase(
  tx: Queryable,
  organizationId: string,
  knowledgeBaseId: string,
): Promise<(BaseRow & { readonly config: string }) | undefined> {
  const { rows } = await tx.query<BaseRow & { config: string }>({
    name: 'base-lock',
    text: `select ${columns}, config from knowledge_bases
           where (organization_id = $1) is true and knowledge_base_id = $2 for update`,
    values: [organizationId, knowledgeBaseId],
  });
  return rows[0];
}

/** Returns the ids that belong to knowledge bases of the project, in no particular order. */
export async function ownedBases(
  db: Queryable,
  organizationId: string,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ knowledge_base_id: string }>({
    name: 'bases-owned',
    text: `select knowledge_base_id from knowledge_bases
           where (organization_id = $1) is true and project_id = $2 and knowledge_base_id = any($3::text[])`,
    values: [organizationId, projectId, ids],
  });
  return rows.map((row) => row.knowledge_base_id);
}

export async function renameBase(
  tx: Queryable,
  organizationId: string,
  knowledgeBaseId: string,
  name: string,
): Promise<BaseRow> {
  const { rows } = await tx.query<BaseRow>({
    name: 'base-rename',
    text: `update knowledge_bases set name = $3, revision = revision + 1, updated_at = date_trunc('milliseconds', now())
           where (organization_id = $1) is true and knowledge_base_id = $2 returning ${columns}`,
    values: [organizationId, knowledgeBaseId, name],
  });
  return rows[0] as BaseRow;
}

/** Hides the knowledge base and its documents immediately. A background job deletes their chunks later. */
export async function removeBase(tx: Queryable, organizationId: string, knowledgeBaseId: string): Promise<void> {
  await tx.query({
    name: 'base-delete-documents',
    text: `with gone as (
             delete from documents where (organization_id = $1) is true and knowledge_base_id = $2
             returning organization_id, document_id
           )
           insert into removed_documents (organization_id, document_id) select organization_id, document_id from gone`,
    values: [organizationId, knowledgeBaseId],
  });
  await tx.query({
    name: 'base-delete',
    text: 'delete from knowledge_bases where (organization_id = $1) is true and knowledge_base_id = $2',
    values: [organizationId, knowledgeBaseId],
  });
}

/** Returns knowledge bases newest first, one more than the limit if there are more. */
export async function pageOfBases(
  db: Queryable,
  organizationId: string,
  page: {
    readonly limit: number;
    /** Undefined: all projects. */
    readonly projectId: string | undefined;
    readonly after: { readonly createdAt: string; readonly knowledgeBaseId: string } | undefined;
  },
): Promise<BaseRow[]> {
  const { projectId, limit, after } = page;
  const { rows } = await db.query<BaseRow>({
    name: projectId === undefined ? 'base-list' : 'base-list-project',
    text: `select ${columns} from knowledge_bases
           where organization_id = $1 and (created_at, knowledge_base_id) < ($2::timestamptz, $3)
             ${projectId === undefined ? '' : 'and project_id = $5'}
           order by created_at desc, knowledge_base_id desc limit $4::integer + 1`,
    values: [
      organizationId,
      after?.createdAt ?? 'infinity',
      after?.knowledgeBaseId ?? '',
      limit,
      ...(projectId === undefined ? [] : [projectId]),
    ],
  });
  return rows;
}
