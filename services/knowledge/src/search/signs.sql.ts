import type { Queryable } from '@parley/runtime';
import type { EmbeddedBase } from './vectors.sql';

export interface DocumentSigns {
  readonly document_id: string;
  /** Of each chunk: its position in 4 bytes, the highest first, and the signs. */
  readonly chunks: Buffer;
}

/** Returns the signs of all vectors of a knowledge base, by document. */
export async function readSigns(
  db: Queryable,
  organizationId: string,
  { knowledge_base_id, dimensions, embedding_set }: EmbeddedBase,
): Promise<DocumentSigns[]> {
  const { rows } = await db.query<DocumentSigns>({
    name: 'signs-read',
    // The value that PostgreSQL sends for bits begins with their number, in 4 bytes.
    text: `select documents.document_id,
             string_agg(int4send(position) || substring(varbit_send(signs) from 5), ''::bytea order by position) as chunks
           from documents
           join embeddings on embeddings.organization_id = $1 and embeddings.document_id = documents.document_id
           where documents.organization_id = $1 and documents.knowledge_base_id = $2 and embedded_chunks > 0
             and embeddings.embedding_set = $3 and bit_length(signs) = $4::integer
           group by documents.document_id order by documents.document_id`,
    values: [organizationId, knowledge_base_id, embedding_set, dimensions],
  });
  return rows;
}
