import type { Ranked } from './ranked.rules';

/** The usual constant of reciprocal rank fusion: the larger it is, the less the first places count. */
const k = 60;

/**
 * Merges rankings whose scores cannot be compared, by reciprocal rank fusion: each ranking gives a chunk 1 / (k + rank). The score is 1 for a chunk that is
 * first in all rankings.
 */
export function fuseRankings(rankings: readonly (readonly Ranked[])[], limit: number): Ranked[] {
  const fused = new Map<string, { readonly found: Ranked; score: number }>();
  for (const ranking of rankings)
    for (const [index, found] of ranking.entries()) {
      const key = `${found.document_id} ${found.position}`;
      const entry = fused.get(key) ?? { found, score: 0 };
      entry.score += (k + 1) / (k + 1 + index) / rankings.length;
      fused.set(key, entry);
    }
  return [...fused.values()]
    .sort(
      (a, b) =>
        b.score - a.score ||
        a.found.document_id.localeCompare(b.found.document_id) ||
        a.found.position - b.found.position,
    )
    .slice(0, limit)
    .map(({ found, score }) => ({ ...found, score }));
}
