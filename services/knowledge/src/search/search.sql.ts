import type { Queryable } from '@parley/runtime';
import type { Ranked } from './ranked.rules';

/**
 * Bounds of the work of a question, whatever its length. A word that occurs in most chunks hardly distinguishes them, and without bounds a long question to a
 * large knowledge base would read hundreds of thousands of entries (ADR 101).
 */
const bounds = {
  /** Postings of each word that are read first, to estimate how often it occurs. Fewer mean that these are all. */
  sample: 6,
  /** What is read for the ranking, beginning with the rarest words: chunks of a word, and the rows that contain them. */
  cost: 7_000,
  /** If vectors are ranked at the same time, which find chunks of other words, too. */
  costWithVectors: 4_000,
  costOfRow: 6,
  /** Chunks that are ranked again with words that were too frequent for the first ranking, and how many of these words. */
  candidates: 50,
  frequentWords: 24,
};

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
  { withVectors = false } = {},
): Promise<Ranked[]> {
  const { rows } = await db.query<Ranked>({
    name: 'chunks-search',
    text: `with bases as materialized (
             select knowledge_base_id, config from knowledge_bases
             where organization_id = $1 and knowledge_base_id = any($2::text[])
           ), held as materialized (
             select document_id, knowledge_base_id, chunks from documents
             where organization_id = $1 and knowledge_base_id in (select knowledge_base_id from bases) and chunks > 0
           ), extents as materialized (
             select knowledge_base_id, array_agg(document_id order by document_id) as ids,
               array_agg(so_far order by document_id) as so_far
             from (select knowledge_base_id, document_id,
                 sum(chunks) over (partition by knowledge_base_id order by document_id)::float8 as so_far from held) as one
             group by knowledge_base_id
           ), total as (
             select sum(chunks)::real as chunks from held
           ), terms as materialized (
             select distinct knowledge_base_id, left(lexeme, 200) as term
             from bases, unnest(to_tsvector(config::regconfig, $3)) as word
           ), sampled as materialized (
             select terms.knowledge_base_id, terms.term, count(*) as rows, sum(cardinality(positions)) as places,
               max(document_id) as last
             from terms cross join lateral (
               select document_id, positions from postings
               where organization_id = $1 and knowledge_base_id = terms.knowledge_base_id and term = terms.term
               order by document_id, first_position limit ${bounds.sample}
             ) as one
             group by terms.knowledge_base_id, terms.term
           ), scaled as materialized (
             -- The sample ends with a document. What the documents up to that one contain of the base, the sample contains of the word. The arrays must not get
             -- into the sort that follows: with a thousand documents it would write megabytes to temporary files.
             select knowledge_base_id, term, places * factor as places, (places + ${bounds.costOfRow} * rows) * factor as cost
             from (
               select knowledge_base_id, term, places, rows, case when rows < ${bounds.sample} then 1
                 else so_far[cardinality(so_far)] / so_far[greatest(width_bucket(last, ids), 1)] end as factor
               from sampled join extents using (knowledge_base_id)
             ) as one
           ), estimated as materialized (
             select knowledge_base_id, term, places, row_number() over rarest as nth, sum(cost) over rarest as cost,
               dense_rank() over (order by term) as word
             from scaled window rarest as (order by cost, term, knowledge_base_id)
           ), hits as materialized (
             select rare.word, postings.document_id, positions, weights
             from estimated as rare
             join postings on postings.organization_id = $1 and postings.knowledge_base_id = rare.knowledge_base_id
               and postings.term = rare.term
             -- "is true" keeps the planner from making a join of it, which might compare each posting with each document.
             where (cost <= $5::int or nth = 1) and (postings.document_id in (select document_id from held)) is true
           ), counted as (
             select word, sum(cardinality(positions)) as found from hits group by word
           ), rarity as materialized (
             select word, ln(1 + (greatest(total.chunks - found, 0) + 0.5) / (found + 0.5)) as idf
             from (select word, found::real as found, sum(found) over (order by found, word) as read,
                 row_number() over (order by found, word) as nth from counted) as rarest, total
             where read <= $5::int or nth = 1
           ), rarities as materialized (
             -- An array instead of a join, because the planner might compare each posting with each word.
             select array_agg(idf order by word) as idfs from (select distinct word from estimated) as words left join rarity using (word)
           ), candidates as materialized (
             select document_id, position, sum(weight * idf) as score
             from (select document_id, idfs[word] as idf, unnest(positions) as position, unnest(weights) as weight
               from hits, rarities where idfs[word] is not null) as one
             group by document_id, position
             order by score desc, document_id, position limit greatest($4::bigint, ${bounds.candidates})
           ), frequent as materialized (
             select knowledge_base_id, term, ln(1 + (greatest(total.chunks - places, 0) + 0.5) / (places + 0.5)) as idf
             from estimated, total where cost > $5::int and nth > 1 order by nth limit ${bounds.frequentWords}
           ), best as materialized (
             select document_id, position, candidates.score + coalesce((
               select sum(weights[array_position(positions, candidates.position)] * idf)
               -- With a limit, the planner looks up each by its key. Otherwise it may read all words of the document.
               from frequent cross join lateral (
                 select positions, weights from postings
                 where organization_id = $1 and knowledge_base_id = frequent.knowledge_base_id and term = frequent.term
                   and document_id = candidates.document_id and first_position <= candidates.position
                 order by first_position desc limit 1
               ) as one
             ), 0) as score
             from candidates
             order by score desc, document_id, position limit $4
           )
           select held.knowledge_base_id, best.document_id, best.position, best.score::float8 as score
           from best join held using (document_id)
           order by best.score desc, best.document_id, best.position`,
    values: [organizationId, knowledgeBaseIds, text, limit, withVectors ? bounds.costWithVectors : bounds.cost],
  });
  return rows;
}
