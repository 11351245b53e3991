import type { Queryable } from '@parley/runtime';

export interface Found {
  readonly knowledge_base_id: string;
  readonly document_id: string;
  readonly document_name: string;
  readonly position: number;
  readonly text: string;
  readonly score: number;
}

/**
 * Maximum number of index entries that a query reads, beginning with the rarest words. A word that occurs in most chunks hardly distinguishes them, and without
 * a limit a long query to a large knowledge base would read hundreds of thousands of entries.
 */
const mostPlaces = 20_000;

/**
 * Returns the chunks of these knowledge bases that match the query best, ranked by BM25, which weights rare words higher (ADR 101). Reads only the postings of
 * these knowledge bases. Deleted documents, whose postings may still exist, are excluded before the ranking.
 */
export async function searchChunks(
  db: Queryable,
  organizationId: string,
  knowledgeBaseIds: readonly string[],
  text: string,
  limit: number,
): Promise<Found[]> {
  const { rows } = await db.query<Found>({
    name: 'chunks-search',
    text: `with bases as materialized (
             select knowledge_base_id, config from knowledge_bases
             where (organization_id = $1) is true and knowledge_base_id = any($2::text[])
           ), held as materialized (
             select document_id, knowledge_base_id, name, chunks from documents
             where organization_id = $1 and knowledge_base_id in (select knowledge_base_id from bases) and chunks > 0
           ), total as (
             select sum(chunks)::real as chunks from held
           ), terms as materialized (
             select distinct knowledge_base_id, left(lexeme, 200) as term
             from bases, unnest(to_tsvector(config::regconfig, $3)) as word
           ), hits as materialized (
             select terms.term, postings.document_id, positions, weights
             from terms
             join postings on postings.organization_id = $1 and postings.knowledge_base_id = terms.knowledge_base_id
               and postings.term = terms.term
             join held on held.document_id = postings.document_id
           ), counted as (
             select term, sum(cardinality(positions)) as found from hits group by term
           ), rarity as materialized (
             select term, ln(1 + (greatest(total.chunks - found, 0) + 0.5) / (found + 0.5)) as idf
             from (select term, found::real as found, sum(found) over (order by found, term) as read,
                 row_number() over (order by found, term) as nth from counted) as rarest, total
             where read <= ${mostPlaces} or nth = 1
           ), best as materialized (
             select hits.document_id, one.position, sum(one.weight * rarity.idf) as score
             from hits join rarity using (term), unnest(positions, weights) as one (position, weight)
             group by hits.document_id, one.position
             order by score desc, hits.document_id, one.position limit $4
           )
           select held.knowledge_base_id, best.document_id, held.name as document_name, best.position, chunks.text,
             best.score::float8 as score
           from best join held using (document_id)
           join chunks on chunks.organization_id = $1 and chunks.document_id = best.document_id and chunks.position = best.position
           order by best.score desc, best.document_id, best.position`,
    values: [organizationId, knowledgeBaseIds, text, limit],
  });
  return rows;
}
