import type { vectorDatabase } from '../../libs/testing/dist/vector-database.js';

type Db = Awaited<ReturnType<typeof vectorDatabase>>['db'];

/** The five best chunks by BM25 with all words of a question, the best first. */
export async function exactRanking(
  db: Db,
  organizationId: string,
  knowledgeBaseId: string,
  text: string,
): Promise<string[]> {
  const { rows } = await db.query<{ chunk: string }>({
    name: 'exact',
    text: `with total as (
             select sum(chunks)::float8 as chunks from documents where organization_id = $1 and knowledge_base_id = $2
           ), hits as (
             select document_id, postings.positions, postings.weights, sum(cardinality(postings.positions)) over (partition by term)::float8 as found
             from unnest(to_tsvector('english', $3)) as word
             join postings on organization_id = $1 and knowledge_base_id = $2 and term = lexeme
           )
           select document_id || ' ' || position as chunk
           from (select document_id, found, unnest(positions) as position, unnest(weights) as weight from hits) as one, total
           group by document_id, position
           order by sum(weight * ln(1 + (chunks - found + 0.5) / (found + 0.5))) desc, document_id, position limit 5`,
    values: [organizationId, knowledgeBaseId, text],
  });
  return rows.map(({ chunk }) => chunk);
}
