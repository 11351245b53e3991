import type { Queryable } from '@parley/runtime';

/** The schema of the extension vector (pgvector) in this database; undefined: the extension is not there. */
export async function findVectorSchema(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ schema: string }>({
    name: 'vector-schema',
    text: `select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
           where extname = 'vector'`,
  });
  return rows[0]?.schema;
}

/** The settings of a knowledge base, and the number of the set of vectors that is made with them. */
export interface SettingsRow {
  readonly embedding_set: number;
  readonly credential: string | null;
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  readonly dimensions_sent: boolean;
}

/** Returns undefined if the knowledge base was deleted. */
export async function findSettings(
  db: Queryable,
  organizationId: string,
  knowledgeBaseId: string,
): Promise<SettingsRow | undefined> {
  const { rows } = await db.query<SettingsRow>({
    name: 'embedding-settings',
    text: `select embedding_set, embedding_credential as credential, embedding_provider as provider,
             embedding_model as model, embedding_dimensions as dimensions, embedding_dimensions_sent as dimensions_sent
           from knowledge_bases where organization_id = $1 and knowledge_base_id = $2`,
    values: [organizationId, knowledgeBaseId],
  });
  return rows[0];
}

/** A document with chunks that have no vector of the present settings yet. */
export interface WaitingDocument {
  readonly document_id: string;
  readonly epoch: number;
  /** The first chunk without a vector. */
  readonly next: number;
}

export async function findWaiting(
  db: Queryable,
  organizationId: string,
  knowledgeBaseId: string,
): Promise<WaitingDocument | undefined> {
  const { rows } = await db.query<WaitingDocument>({
    name: 'embedding-waiting',
    text: `select document_id, embedding_epoch as epoch, embedding_position as next from documents
           where organization_id = $1 and knowledge_base_id = $2 and embedding_position < chunks
           order by created_at, document_id limit 1`,
    values: [organizationId, knowledgeBaseId],
  });
  return rows[0];
}

export async function readTexts(
  db: Queryable,
  organizationId: string,
  { document_id, next }: Pick<WaitingDocument, 'document_id' | 'next'>,
  most: number,
): Promise<string[]> {
  const { rows } = await db.query<{ text: string }>({
    name: 'embedding-texts',
    text: `select text from chunks where organization_id = $1 and document_id = $2 and position >= $3::integer
           order by position limit $4::integer`,
    values: [organizationId, document_id, next, most],
  });
  return rows.map(({ text }) => text);
}

/** Notes that further chunks were sent. @returns false if they have changed meanwhile; then the transaction has to be rolled back */
export async function advanceDocument(
  tx: Queryable,
  organizationId: string,
  { document_id, epoch, next }: WaitingDocument,
  { sent, embedded }: { readonly sent: number; readonly embedded: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'embedding-advance',
    text: `update documents set embedding_position = embedding_position + $5::integer, embedded_chunks = embedded_chunks + $6::integer
           where organization_id = $1 and document_id = $2 and embedding_epoch = $3 and embedding_position = $4`,
    values: [organizationId, document_id, epoch, next, sent, embedded],
  });
  return rowCount === 1;
}

export interface ChunkVector {
  readonly position: number;
  readonly vector: readonly number[];
  readonly signs: string;
}

/** Stores vectors in place of earlier ones of the same chunks. */
export async function putVectors(
  tx: Queryable,
  organizationId: string,
  documentId: string,
  set: number,
  vectors: readonly ChunkVector[],
): Promise<void> {
  await tx.query({
    name: 'embeddings-put',
    text: `insert into embeddings (organization_id, document_id, position, embedding_set, signs, embedding)
           select $1, $2, position, $3, signs::bit varying, vector::real[]
           from unnest($4::integer[], $5::text[], $6::text[]) as one (position, signs, vector)
           on conflict (organization_id, document_id, position) do update set embedding_set = excluded.embedding_set,
             signs = excluded.signs, embedding = excluded.embedding
           where embeddings.organization_id = excluded.organization_id`,
    values: [
      organizationId,
      documentId,
      set,
      vectors.map(({ position }) => position),
      vectors.map(({ signs }) => signs),
      vectors.map(({ vector }) => `{${vector.join(',')}}`),
    ],
  });
}

/** Deletes vectors of a knowledge base that makes none any more. @returns how many; fewer than `most` if none is left */
export async function removeVectors(
  db: Queryable,
  organizationId: string,
  knowledgeBaseId: string,
  most: number,
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'embeddings-remove',
    text: `with gone as (
             select embeddings.document_id, embeddings.position from documents
             join embeddings on embeddings.organization_id = $1 and embeddings.document_id = documents.document_id
             where documents.organization_id = $1 and documents.knowledge_base_id = $2 limit $3::integer
           )
           delete from embeddings using gone
           where embeddings.organization_id = $1 and embeddings.document_id = gone.document_id
             and embeddings.position = gone.position`,
    values: [organizationId, knowledgeBaseId, most],
  });
  return rowCount;
}

/** Deletes the vectors of a document. */
export async function removeVectorsOfDocument(
  tx: Queryable,
  organizationId: string,
  documentId: string,
): Promise<void> {
  await tx.query({
    name: 'embeddings-delete',
    text: 'delete from embeddings where organization_id = $1 and document_id = $2',
    values: [organizationId, documentId],
  });
}
