import type { DocumentFailureCode, DocumentMediaType } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { removeVectorsOfDocument } from '../embeddings';
import type { ClaimedDocument } from './due-documents.cross-tenant.sql';

type Named = Pick<ClaimedDocument, 'organization_id' | 'document_id'>;

/** Ends the claim and stores its result. @returns false if the claim was lost; then the transaction has to be rolled back */
export async function settleDocument(
  tx: Queryable,
  organizationId: string,
  { document_id, claim }: Pick<ClaimedDocument, 'document_id' | 'claim'>,
  result: {
    readonly mediaType: DocumentMediaType | undefined;
    readonly failure: { readonly code: DocumentFailureCode; readonly detail: string } | undefined;
    readonly characters: number;
    readonly chunks: number;
  },
): Promise<boolean> {
  const { failure, mediaType, characters, chunks } = result;
  const { rowCount } = await tx.query({
    name: 'document-settle',
    text: `update documents set status = case when $4::text is null then 'ready' else 'failed' end,
             failure_code = $4, failure_detail = $5, media_type = coalesce($6, media_type), characters = $7, chunks = $8,
             embedding_epoch = embedding_epoch + 1, embedding_position = 0, embedded_chunks = 0,
             claim = '', claimed_until = '-infinity', upload_id = null, updated_at = date_trunc('milliseconds', now())
           where organization_id = $1 and document_id = $2 and claim = $3`,
    values: [
      organizationId,
      document_id,
      claim,
      failure?.code ?? null,
      failure?.detail ?? null,
      mediaType ?? null,
      characters,
      chunks,
    ],
  });
  return rowCount === 1;
}

/** Releases the claim, so that any replica can claim the document after a delay. */
export async function postponeDocument(
  db: Queryable,
  organizationId: string,
  { document_id, claim }: Pick<ClaimedDocument, 'document_id' | 'claim'>,
  seconds: number,
): Promise<void> {
  await db.query({
    name: 'document-postpone',
    text: `update documents set claim = '', claimed_until = now() + make_interval(secs => $4::integer)
           where organization_id = $1 and document_id = $2 and claim = $3`,
    values: [organizationId, document_id, claim, seconds],
  });
}

/** Returns how many chunks the other documents of the knowledge base have. */
export async function chunksOfOthers(
  tx: Queryable,
  organizationId: string,
  { knowledge_base_id, document_id }: Pick<ClaimedDocument, 'knowledge_base_id' | 'document_id'>,
): Promise<number> {
  const { rows } = await tx.query<{ chunks: string | null }>({
    name: 'chunks-of-others',
    text: `select sum(chunks) as chunks from documents
           where organization_id = $1 and knowledge_base_id = $2 and document_id <> $3`,
    values: [organizationId, knowledge_base_id, document_id],
  });
  return Number(rows[0]?.chunks ?? 0);
}

/** Deletes all stored text of a document, its vectors, and all that was sent for it. */
export async function removeAll(tx: Queryable, removed: Named): Promise<void> {
  await tx.query({
    name: 'contents-delete',
    text: 'delete from document_contents where organization_id = $1 and document_id = $2',
    values: [removed.organization_id, removed.document_id],
  });
  await removeText(tx, removed);
}

/** Deletes the stored text of a document, and its vectors. */
export async function removeText(tx: Queryable, { organization_id, document_id }: Named): Promise<void> {
  const values = [organization_id, document_id];
  await removeVectorsOfDocument(tx, organization_id, document_id);
  await tx.query({
    name: 'postings-delete',
    text: 'delete from postings where organization_id = $1 and document_id = $2',
    values,
  });
  await tx.query({
    name: 'chunks-delete',
    text: 'delete from chunks where organization_id = $1 and document_id = $2',
    values,
  });
}

export async function forgetRemoved(tx: Queryable, { organization_id, document_id }: Named): Promise<void> {
  await tx.query({
    name: 'removed-forget',
    text: 'delete from removed_documents where organization_id = $1 and document_id = $2',
    values: [organization_id, document_id],
  });
}

/** Parameters of BM25: k1 weights repeated occurrences, b the length of a chunk; `words` is the average length of a chunk (ADR 101). */
const bm25 = { k1: 1.2, b: 0.75, words: 300 };

/** Inserts consecutive chunks with their postings. At most 200 at once, so that rows stay short. */
export async function insertChunks(
  tx: Queryable,
  organizationId: string,
  document: Pick<ClaimedDocument, 'document_id' | 'knowledge_base_id'> & { readonly config: string },
  first: number,
  texts: readonly string[],
): Promise<void> {
  const { document_id, knowledge_base_id, config } = document;
  await tx.query({
    name: 'chunks-insert',
    text: `with added as (
             insert into chunks (organization_id, document_id, position, text)
             select $1, $2, $3::integer + n - 1, text from unnest($4::text[]) with ordinality as one (text, n)
             returning position, text
           ), words as materialized (
             select position, to_tsvector($6::text::regconfig, text) as vector from added
           ), lengths as (
             select position, term.lexeme, cardinality(term.positions) as occurrences,
               sum(cardinality(term.positions)) over (partition by position) as length
             from words, unnest(vector) as term
           )
           insert into postings (organization_id, knowledge_base_id, term, document_id, first_position, positions, weights)
           select $1, $5, left(lexeme, 200), $2, $3::integer, array_agg(position order by position),
             array_agg((occurrences * ${bm25.k1 + 1} / (occurrences + ${bm25.k1} * (${1 - bm25.b} + ${bm25.b} * length / ${bm25.words})))::real
               order by position)
           from lengths group by left(lexeme, 200)`,
    values: [organizationId, document_id, first, texts, knowledge_base_id, config],
  });
}
