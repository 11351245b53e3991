/** The known name nearest to an unknown one by Levenshtein distance; undefined when none is near enough to be meant. */
export function nearestName(unknown: string, known: Iterable<string>): string | undefined {
  if (unknown.length > 64) return undefined;
  let nearest: string | undefined;
  let best = Math.max(2, Math.floor(unknown.length / 3)) + 1;
  for (const name of known) {
    const distance = levenshtein(unknown.toLowerCase(), name.toLowerCase());
    if (distance < best) [nearest, best] = [name, distance];
  }
  return nearest;
}

function levenshtein(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
