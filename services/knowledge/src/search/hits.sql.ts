import type { KnowledgeHit } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { Ranked } from './ranked.rules';

/** Reads what the hits of a question say. Chunks that were deleted meanwhile are left out. */
export async function readHits(
  db: Queryable,
  organizationId: string,
  ranked: readonly Ranked[],
): Promise<KnowledgeHit[]> {
  if (ranked.length === 0) return [];
  const { rows } = await db.query<KnowledgeHit>({
    name: 'hits-read',
    text: `select documents.knowledge_base_id, documents.document_id, documents.name as document_name, held.position, held.text, score
           from unnest($2::text[], $3::integer[], $4::float8[]) with ordinality as hit (document, place, score, rank)
           join documents on documents.organization_id = $1 and documents.document_id = document
           -- With a limit, the planner looks up each by its key.
           cross join lateral (
             select position, text from chunks
             where chunks.organization_id = $1 and chunks.document_id = document and position = place limit 1
           ) as held
           order by rank`,
    values: [
      organizationId,
      ranked.map(({ document_id }) => document_id),
      ranked.map(({ position }) => position),
      ranked.map(({ score }) => Math.round(score * 10_000) / 10_000),
    ],
  });
  return rows;
}
