import type {
  DocumentFailure,
  DocumentFailureCode,
  DocumentMediaType,
  DocumentStatus,
  KnowledgeDocumentRecord,
} from '@parley/contract';
import type { Queryable } from '@parley/runtime';

export interface DocumentRow {
  readonly organization_id: string;
  readonly document_id: string;
  readonly knowledge_base_id: string;
  readonly name: string;
  readonly url: string | null;
  readonly media_type: DocumentMediaType | null;
  readonly status: DocumentStatus;
  readonly failure_code: DocumentFailureCode | null;
  readonly failure_detail: string | null;
  readonly characters: number;
  readonly chunks: number;
  readonly embedded_chunks: number;
  /** Read with the document alone: nothing that changes a document has made vectors of it. */
  readonly embedding_failure?: DocumentFailure | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `organization_id, document_id, knowledge_base_id, name, url, media_type, status, failure_code, failure_detail,
  characters, chunks, embedded_chunks, created_at, updated_at`;

/** Why the last attempt to make further vectors failed. */
const embeddingFailure = `case when embedding_position < chunks then (
    select jsonb_build_object('code', failure_code, 'detail', failure_detail) from embedding_jobs
    where organization_id = $1 and knowledge_base_id = documents.knowledge_base_id and embedding_jobs.failure_code is not null
  ) end as embedding_failure`;

export const documentView = (row: DocumentRow): string =>
  JSON.stringify({
    document_id: row.document_id,
    knowledge_base_id: row.knowledge_base_id,
    organization_id: row.organization_id,
    name: row.name,
    url: row.url,
    media_type: row.media_type,
    status: row.status,
    failure: row.failure_code === null ? null : { code: row.failure_code, detail: row.failure_detail ?? '' },
    characters: row.characters,
    chunks: row.chunks,
    embedded_chunks: row.embedded_chunks,
    embedding_failure: row.embedding_failure ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  } satisfies KnowledgeDocumentRecord);

export async function countDocuments(tx: Queryable, organizationId: string, knowledgeBaseId: string): Promise<number> {
  const { rows } = await tx.query<{ count: string }>({
    name: 'documents-count',
    text: 'select count(*) from documents where organization_id = $1 and knowledge_base_id = $2',
    values: [organizationId, knowledgeBaseId],
  });
  return Number(rows[0]?.count ?? 0);
}

export async function insertDocument(
  tx: Queryable,
  row: Pick<DocumentRow, 'organization_id' | 'document_id' | 'knowledge_base_id' | 'name' | 'url' | 'status'>,
): Promise<DocumentRow> {
  const { rows } = await tx.query<DocumentRow>({
    name: 'document-insert',
    text: `insert into documents (organization_id, document_id, knowledge_base_id, name, url, status, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()))
           returning ${columns}`,
    values: [row.organization_id, row.document_id, row.knowledge_base_id, row.name, row.url, row.status],
  });
  return rows[0] as DocumentRow;
}

export async function findDocument(
  db: Queryable,
  organizationId: string,
  documentId: string,
): Promise<DocumentRow | undefined> {
  const { rows } = await db.query<DocumentRow>({
    name: 'document-find',
    text: `select ${columns}, ${embeddingFailure} from documents where organization_id = $1 and document_id = $2`,
    values: [organizationId, documentId],
  });
  return rows[0];
}

/** Starts the processing of a document again. A replica that is processing it loses its claim. @returns undefined if the document was deleted */
export async function startProcessing(
  tx: Queryable,
  organizationId: string,
  documentId: string,
  { mediaType, uploadId }: { readonly mediaType: DocumentMediaType; readonly uploadId: string },
): Promise<DocumentRow | undefined> {
  const { rows } = await tx.query<DocumentRow>({
    name: 'document-start',
    text: `update documents set status = 'processing', media_type = $3, url = null, failure_code = null, failure_detail = null,
             attempts = 0, claimed_until = '-infinity', claim = '', upload_id = $4, updated_at = date_trunc('milliseconds', now())
           where organization_id = $1 and document_id = $2 returning ${columns}`,
    values: [organizationId, documentId, mediaType, uploadId],
  });
  return rows[0];
}

/** Hides the document immediately. A background task deletes its chunks later. @returns undefined if it was already deleted */
export async function removeDocument(
  tx: Queryable,
  organizationId: string,
  documentId: string,
): Promise<DocumentRow | undefined> {
  const { rows } = await tx.query<DocumentRow>({
    name: 'document-delete',
    text: `with gone as (
             delete from documents where organization_id = $1 and document_id = $2 returning ${columns}
           ), noted as (
             insert into removed_documents (organization_id, document_id) select organization_id, document_id from gone
           )
           select ${columns} from gone`,
    values: [organizationId, documentId],
  });
  return rows[0];
}

/** Returns documents newest first, one more than the limit if there are more. */
export async function pageOfDocuments(
  db: Queryable,
  organizationId: string,
  knowledgeBaseId: string,
  page: {
    readonly limit: number;
    readonly after: { readonly createdAt: string; readonly documentId: string } | undefined;
  },
): Promise<DocumentRow[]> {
  const { rows } = await db.query<DocumentRow>({
    name: 'document-list',
    text: `select ${columns}, ${embeddingFailure} from documents
           where organization_id = $1 and knowledge_base_id = $2 and (created_at, document_id) < ($3::timestamptz, $4)
           order by created_at desc, document_id desc limit $5::integer + 1`,
    values: [
      organizationId,
      knowledgeBaseId,
      page.after?.createdAt ?? 'infinity',
      page.after?.documentId ?? '',
      page.limit,
    ],
  });
  return rows;
}
