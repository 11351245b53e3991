import { fuseRankings } from './fusion.rules';
import type { Ranked } from './ranked.rules';

const hit = (document_id: string): Ranked => ({
  knowledge_base_id: 'kb',
  document_id,
  position: 0,
  score: 1,
});
const fused = (limit: number, ...rankings: string[][]) =>
  fuseRankings(
    rankings.map((ranking) => ranking.map(hit)),
    limit,
  ).map(({ document_id, score }) => [document_id, Math.round(score * 1000) / 1000]);

describe('merged rankings of search results', () => {
  it('rank results of all rankings above those of one, and give a score of 1 to the first of all', () => {
    expect(fused(5, ['a', 'b', 'c'], ['a', 'c', 'd'])).toEqual([
      ['a', 1],
      ['c', 0.976],
      ['b', 0.492],
      ['d', 0.484],
    ]);
  });

  it('keep the order of a single non-empty ranking, and the limit', () => {
    expect(fused(2, [], ['b', 'a', 'c'])).toEqual([
      ['b', 0.5],
      ['a', 0.492],
    ]);
  });

  it('sort equal scores by document, so that the order is deterministic', () => {
    expect(fused(5, ['b'], ['a']).map(([id]) => id)).toEqual(['a', 'b']);
  });
});
