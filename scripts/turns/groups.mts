type Vector = readonly (readonly [dimension: number, value: number])[];

const rounds = 12;

/**
 * Divides the words into groups with similar neighbors: k-means of the positive pointwise mutual information of a word with the words before and after it.
 * The first groups are the most common words.
 */
export function groupsOf(
  sentences: readonly (readonly string[])[],
  words: readonly string[],
  count: number,
): Int32Array {
  const vectors = neighborVectors(sentences, words);
  const dimensions = 1 + Math.max(...vectors.flat().map(([dimension]) => dimension));
  const group = new Int32Array(words.length);
  let centers: Float64Array[] = vectors.slice(0, count).map((vector) => {
    const center = new Float64Array(dimensions);
    for (const [dimension, value] of vector) center[dimension] = value;
    return center;
  });
  for (let round = 0; round < rounds; round++) {
    vectors.forEach((vector, word) => (group[word] = nearest(vector, centers)));
    centers = centersOf(vectors, group, centers.length, dimensions);
  }
  return group;
}

function nearest(vector: Vector, centers: readonly Float64Array[]): number {
  let best = 0;
  let most = -1;
  centers.forEach((center, nth) => {
    let product = 0;
    for (const [dimension, value] of vector) product += value * (center[dimension] as number);
    if (product > most) [best, most] = [nth, product];
  });
  return best;
}

function centersOf(vectors: readonly Vector[], group: Int32Array, count: number, dimensions: number): Float64Array[] {
  const centers = Array.from({ length: count }, () => new Float64Array(dimensions));
  // Words are in the order of their frequency: common ones say more.
  vectors.forEach((vector, word) => {
    const center = centers[group[word] as number] as Float64Array;
    const weight = Math.log(2 + vectors.length / (1 + word));
    for (const [dimension, value] of vector) center[dimension] = (center[dimension] as number) + weight * value;
  });
  for (const center of centers) {
    const norm = Math.sqrt(center.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let at = 0; at < dimensions; at++) center[at] = (center[at] as number) / norm;
  }
  return centers;
}

const commonNeighbors = 300;

function neighborVectors(sentences: readonly (readonly string[])[], words: readonly string[]): Vector[] {
  const places = new Map(words.map((word, nth) => [word, nth]));
  const neighbors = new Map(words.slice(0, commonNeighbors).map((word, nth) => [word, nth]));
  const [beginning, end, other, side] = [
    commonNeighbors,
    commonNeighbors + 1,
    commonNeighbors + 2,
    commonNeighbors + 3,
  ];
  const counts = words.map(() => new Map<number, number>());
  const totals = new Map<number, number>();
  let all = 0;
  const count = (word: number, dimension: number): void => {
    const row = counts[word] as Map<number, number>;
    row.set(dimension, (row.get(dimension) ?? 0) + 1);
    totals.set(dimension, (totals.get(dimension) ?? 0) + 1);
    all++;
  };
  for (const sentence of sentences)
    sentence.forEach((text, at) => {
      const word = places.get(text);
      if (word === undefined) return;
      const [previous, next] = [sentence[at - 1], sentence[at + 1]];
      count(word, previous === undefined ? beginning : (neighbors.get(previous) ?? other));
      count(word, side + (next === undefined ? end : (neighbors.get(next) ?? other)));
    });
  return counts.map((row) => {
    const own = [...row.values()].reduce((sum, value) => sum + value, 0);
    const information = [...row].flatMap(([dimension, value]) => {
      const mutual = Math.log((value * all) / (own * (totals.get(dimension) as number)));
      return mutual > 0 ? [[dimension, mutual * Math.sqrt(Math.min(1, value / 3))] as const] : [];
    });
    const norm = Math.sqrt(information.reduce((sum, [, value]) => sum + value * value, 0)) || 1;
    return information.map(([dimension, value]) => [dimension, value / norm] as const);
  });
}
