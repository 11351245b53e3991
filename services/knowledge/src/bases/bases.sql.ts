import type { KnowledgeBaseRecord } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { EmbeddingSettings } from '../embeddings';

export interface BaseRow {
  readonly organization_id: string;
  readonly knowledge_base_id: string;
  readonly project_id: string;
  readonly name: string;
  readonly language: string;
  /** Null: it has no embeddings. */
  readonly embedding_credential: string | null;
  readonly embedding_provider: string;
  readonly embedding_model: string;
  readonly embedding_dimensions: number;
  readonly embedding_dimensions_sent: boolean;
  readonly embedding_min_similarity: number;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `organization_id, knowledge_base_id, project_id, name, language, embedding_credential, embedding_provider,
  embedding_model, embedding_dimensions, embedding_dimensions_sent, embedding_min_similarity, revision, created_at, updated_at`;

export const embeddingsOf = (row: BaseRow): EmbeddingSettings | undefined =>
  row.embedding_credential === null
    ? undefined
    : {
        credentialId: row.embedding_credential,
        provider: row.embedding_provider,
        model: row.embedding_model,
        dimensions: row.embedding_dimensions,
        sendsDimensions: row.embedding_dimensions_sent,
        minSimilarity: row.embedding_min_similarity,
      };

export const baseView = (row: BaseRow): string =>
  JSON.stringify({
    knowledge_base_id: row.knowledge_base_id,
    organization_id: row.organization_id,
    project_id: row.project_id,
    name: row.name,
    language: row.language,
    embeddings:
      row.embedding_credential === null
        ? null
        : {
            component_credential_id: row.embedding_credential,
            model: row.embedding_model,
            dimensions: row.embedding_dimensions,
            min_similarity: row.embedding_min_similarity,
          },
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
    readonly embeddings: EmbeddingSettings | undefined;
  },
): Promise<BaseRow> {
  const { rows } = await tx.query<BaseRow>({
    name: 'base-insert',
    text: `insert into knowledge_bases (organization_id, knowledge_base_id, project_id, name, language, config,
             embedding_credential, embedding_provider, embedding_model, embedding_dimensions, embedding_dimensions_sent,
             embedding_min_similarity, embedding_set, revision, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1, 1,
             date_trunc('milliseconds', now()), date_trunc('milliseconds', now()))
           returning ${columns}`,
    values: [
      ...[row.organization_id, row.knowledge_base_id, row.project_id, row.name, row.language, row.config],
      ...valuesOf(row.embeddings),
    ],
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
    text: `select ${columns} from knowledge_bases where organization_id = $1 and knowledge_base_id = $2`,
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
           where organization_id = $1 and knowledge_base_id = $2 for update`,
    values: [organizationId, knowledgeBaseId],
  });
  return rows[0];
}

/** Returns the ids that belong to knowledge bases of the project, in no particular order. Waits for the end of a deletion in progress. */
export async function ownedBases(
  db: Queryable,
  organizationId: string,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ knowledge_base_id: string }>({
    name: 'bases-owned',
    text: `select knowledge_base_id from knowledge_bases
           where organization_id = $1 and project_id = $2 and knowledge_base_id = any($3::text[])
           for key share`,
    values: [organizationId, projectId, ids],
  });
  return rows.map((row) => row.knowledge_base_id);
}

/** The columns of the settings, from the credential to the lowest similarity. */
const valuesOf = (embeddings: EmbeddingSettings | undefined): readonly unknown[] => [
  embeddings?.credentialId ?? null,
  embeddings?.provider ?? null,
  embeddings?.model ?? null,
  embeddings?.dimensions ?? null,
  embeddings?.sendsDimensions ?? false,
  embeddings?.minSimilarity ?? 0,
];

export interface BaseChange {
  readonly name: string;
  readonly embeddings: EmbeddingSettings | undefined;
  /** Whether existing vectors cannot be compared any more. */
  readonly newSet: boolean;
}

export async function changeBase(
  tx: Queryable,
  organizationId: string,
  knowledgeBaseId: string,
  { name, embeddings, newSet }: BaseChange,
): Promise<BaseRow> {
  const { rows } = await tx.query<BaseRow>({
    name: 'base-change',
    text: `update knowledge_bases set name = $3, embedding_credential = $4, embedding_provider = $5, embedding_model = $6,
             embedding_dimensions = $7, embedding_dimensions_sent = $8, embedding_min_similarity = $9,
             embedding_set = embedding_set + $10::integer, revision = revision + 1,
             updated_at = date_trunc('milliseconds', now())
           where organization_id = $1 and knowledge_base_id = $2 returning ${columns}`,
    values: [organizationId, knowledgeBaseId, name, ...valuesOf(embeddings), newSet ? 1 : 0],
  });
  return rows[0] as BaseRow;
}

/** Has the chunks of all documents sent again. Until then, the documents are found by their words. */
export async function forgetVectors(tx: Queryable, organizationId: string, knowledgeBaseId: string): Promise<void> {
  await tx.query({
    name: 'base-forget-vectors',
    text: `update documents set embedding_epoch = embedding_epoch + 1, embedding_position = 0, embedded_chunks = 0
           where organization_id = $1 and knowledge_base_id = $2`,
    values: [organizationId, knowledgeBaseId],
  });
}

/** Hides the knowledge base and its documents immediately. A background task deletes their chunks later. */
export async function removeBase(tx: Queryable, organizationId: string, knowledgeBaseId: string): Promise<void> {
  await tx.query({
    name: 'base-delete-documents',
    text: `with gone as (
             delete from documents where organization_id = $1 and knowledge_base_id = $2
             returning organization_id, document_id
           )
           insert into removed_documents (organization_id, document_id) select organization_id, document_id from gone`,
    values: [organizationId, knowledgeBaseId],
  });
  await tx.query({
    name: 'base-delete',
    text: 'delete from knowledge_bases where organization_id = $1 and knowledge_base_id = $2',
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
