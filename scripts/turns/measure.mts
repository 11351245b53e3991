import { seeded, type Corpus } from './texts.mts';

const seed = 7;
/** The share of finished turns that are judged finished. */
const kept = 0.95;

export interface Rates {
  /** The probability that a finished turn has a higher score than an unfinished one. */
  readonly area: number;
  /** The share of unfinished turns below `threshold`. */
  readonly held: number;
  /** The score that `kept` of the finished turns reach. */
  readonly threshold: number;
}

/** Compares whole utterances with the same ones cut after a random word. */
export function rate({ utterances }: Corpus, score: (words: readonly string[]) => number): Rates {
  const random = seeded(seed);
  const finished = utterances.map(({ words }) => score(words)).sort((one, other) => one - other);
  const unfinished = utterances
    .filter(({ words }) => words.length > 1)
    .map(({ words }) => score(words.slice(0, 1 + Math.floor(random() * (words.length - 1)))));
  const threshold = finished[Math.floor(finished.length * (1 - kept))] as number;
  return {
    area: area(finished, unfinished),
    held: unfinished.filter((value) => value < threshold).length / unfinished.length,
    threshold,
  };
}

/** The area under the ROC curve: the mean share of unfinished turns below a finished one; equal ones count half. */
function area(finished: readonly number[], unfinished: readonly number[]): number {
  const sorted = [...unfinished].sort((one, other) => one - other);
  let below = 0;
  let upTo = 0;
  let sum = 0;
  for (const value of finished) {
    while (below < sorted.length && (sorted[below] as number) < value) below++;
    upTo = Math.max(upTo, below);
    while (upTo < sorted.length && (sorted[upTo] as number) <= value) upTo++;
    sum += (below + upTo) / 2;
  }
  return sum / (finished.length * unfinished.length);
}
