import type { KnownWord } from '../../services/engine/dist/listening/turn-features.js';
import { groupsOf } from './groups.mts';
import { alike, hashOf, lookUp, seeded, turnFeatures, type Corpus, type Utterance } from './texts.mts';

const seed = 1;
/** A word that fewer texts have is in no group; one that a collection has once may be a typing error. */
const leastOfWord = 4;
const leastInCorpus = 2;
const coarseGroups = 48;
const fineGroups = 200;
/** A feature that fewer prefixes have says nothing about other texts. */
const leastOfFeature = 8;
/** Smaller weights, of 127, are left out of the file. */
const leastWeight = 2;
/** The share of utterances in which words of a single collection are taken for words never heard. */
const forgotten = 0.5;
/** Prefixes of a long utterance that are learned from. */
const mostCuts = 7;
const epochs = 2;
const rate = 0.02;
const decay = 1e-6;

/**
 * Learns from whole utterances and from the same cut after each word; all cuts of an utterance together count as much as the whole. Words that only one
 * collection has are learned as any unknown word, because calls are about other things than the texts.
 */
export function train(corpora: readonly Corpus[]) {
  const lexicon = lexiconOf(corpora);
  const commonWords = new Map([...lexicon].filter(([, { common }]) => common));
  const random = seeded(seed);
  const examples = new Examples();
  for (const { utterances, laterSentences } of corpora)
    for (const utterance of [...utterances, ...laterSentences])
      addCuts(examples, utterance, random() < forgotten ? commonWords : lexicon);
  const { ids, hashes } = examples.common();
  const weights = descend(examples, ids, hashes.length);
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const scale = Math.fround(largest / 127);
  const kept = new Map<number, number>();
  hashes.forEach((hash, id) => {
    const value = Math.round((weights[id] as number) / scale);
    if (Math.abs(value) >= leastWeight) kept.set(hash, value);
  });
  return { lexicon, scale, weights: kept };
}

function lexiconOf(corpora: readonly Corpus[]): Map<number, KnownWord> {
  const sentences = corpora.map(({ utterances }) => utterances.map(({ words }) => words.map(alike)));
  const counts = sentences.map((texts) => {
    const count = new Map<string, number>();
    for (const word of texts.flat()) count.set(word, (count.get(word) ?? 0) + 1);
    return count;
  });
  const total = new Map<string, number>();
  for (const count of counts) for (const [word, times] of count) total.set(word, (total.get(word) ?? 0) + times);
  const words = [...total].filter(([, times]) => times >= leastOfWord);
  words.sort(([one, often], [other, times]) => times - often || (one < other ? -1 : 1));
  const names = words.map(([word]) => word);
  const coarse = groupsOf(sentences.flat(), names, coarseGroups);
  const fine = groupsOf(sentences.flat(), names, fineGroups);
  const isCommon = (word: string): boolean =>
    counts.filter((count) => (count.get(word) ?? 0) >= leastInCorpus).length >= Math.min(2, corpora.length);
  return new Map(
    names.map((word, nth) => [
      hashOf(word),
      { common: isCommon(word), coarse: coarse[nth] as number, fine: fine[nth] as number },
    ]),
  );
}

function addCuts(
  examples: Examples,
  { words, sentenceEnds, weight }: Utterance,
  lexicon: Map<number, KnownWord>,
): void {
  const turn = lookUp(words, lexicon);
  const cuts = turn.length - 1;
  for (let count = 1; count <= cuts; count++) {
    if (sentenceEnds.has(count)) continue;
    if (cuts > mostCuts && (count * 7919 + turn.length * 31) % cuts >= mostCuts) continue;
    examples.add(turnFeatures(turn.slice(0, count)), 0, weight / Math.min(cuts, mostCuts));
  }
  examples.add(turnFeatures(turn), 1, weight);
}

/** Prefixes with the hashes of their features, one after the other in one array, because there are tens of millions. */
class Examples {
  features = new Uint32Array(1 << 22);
  readonly ends: number[] = [];
  readonly finished: number[] = [];
  readonly weights: number[] = [];
  private used = 0;

  add(features: readonly number[], finished: number, weight: number): void {
    if (this.used + features.length > this.features.length) {
      const larger = new Uint32Array(this.features.length * 2);
      larger.set(this.features);
      this.features = larger;
    }
    this.features.set(features, this.used);
    this.used += features.length;
    this.ends.push(this.used);
    this.finished.push(finished);
    this.weights.push(weight);
  }

  /** The features that occur often enough, numbered by hash; `ids` has the number of each one in `features`, or -1. */
  common(): { ids: Int32Array; hashes: number[] } {
    const sorted = this.features.slice(0, this.used).sort();
    const numbers = new Map<number, number>();
    for (let at = 0; at < sorted.length;) {
      let end = at;
      while (sorted[end] === sorted[at]) end++;
      if (end - at >= leastOfFeature) numbers.set(sorted[at] as number, numbers.size);
      at = end;
    }
    const ids = Int32Array.from({ length: this.used }, (_, at) => numbers.get(this.features[at] as number) ?? -1);
    return { ids, hashes: [...numbers.keys()] };
  }
}

/** Logistic regression by AdaGrad, in a random order that the seed decides. */
function descend({ ends, finished, weights: importance }: Examples, ids: Int32Array, count: number): Float64Array {
  const weights = new Float64Array(count);
  const squares = new Float64Array(count).fill(1e-2);
  const order = Int32Array.from(ends.keys());
  const random = seeded(seed);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const example of order) {
      const end = ends[example] as number;
      const begin = example === 0 ? 0 : (ends[example - 1] as number);
      let sum = 0;
      for (let at = begin; at < end; at++) if ((ids[at] as number) >= 0) sum += weights[ids[at] as number] as number;
      const error = (1 / (1 + Math.exp(-sum)) - (finished[example] as number)) * (importance[example] as number);
      for (let at = begin; at < end; at++) {
        const id = ids[at] as number;
        if (id < 0) continue;
        const slope = error + decay * (weights[id] as number);
        squares[id] = (squares[id] as number) + slope * slope;
        weights[id] = (weights[id] as number) - (rate * slope) / Math.sqrt(squares[id]);
      }
    }
  }
  return weights;
}

function shuffle(order: Int32Array, random: () => number): void {
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
}
