import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Detector from '../../services/engine/dist/listening/turn-detector.js';
import type * as Model from '../../services/engine/dist/listening/turn-model.js';
import type * as Features from '../../services/engine/dist/listening/turn-features.js';
import type * as Weights from '../../services/engine/dist/listening/turn-weights.js';
import type * as Words from '../../services/engine/dist/listening/turn-words.js';

const engine = createRequire(path.join(import.meta.dirname, '../../services/engine/package.json'));
export const { lookUp, turnFeatures, hashOf } = engine('./dist/listening/turn-features.js') as typeof Features;
export const { encodeModel, decodeModel, scoreOf } = engine('./dist/listening/turn-weights.js') as typeof Weights;
export const { turnFinished } = engine('./dist/listening/turn-detector.js') as typeof Detector;
export const { turnModelFile } = engine('./dist/listening/turn-model.js') as typeof Model;
export const { wordsOf, alike } = engine('./dist/listening/turn-words.js') as typeof Words;

export interface Utterance {
  readonly words: readonly string[];
  /** The numbers of words after which a sentence ends within the utterance: who is cut off there has said something complete. */
  readonly sentenceEnds: ReadonlySet<number>;
  /** How much it counts: a whole utterance 1, a later sentence of one half of that. */
  readonly weight: number;
}

export interface Corpus {
  readonly name: string;
  readonly utterances: readonly Utterance[];
  /** The second and later sentences of the utterances: people begin turns with them too. */
  readonly laterSentences: readonly Utterance[];
}

/** Reads every .txt file of the folder, one utterance a line; in the order of names, so that the same folder gives the same weights. */
export function readCorpora(folder: string): Corpus[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  if (names.length === 0) throw new Error(`${folder} has no .txt file`);
  return names.sort().map((name) => readCorpus(name.slice(0, -4), readFileSync(path.join(folder, name), 'utf8')));
}

function readCorpus(name: string, text: string): Corpus {
  const utterances = new Map<string, Utterance>();
  const laterSentences: Utterance[] = [];
  for (const line of text.split('\n')) {
    const sentences = line
      .split(/(?<=[.?!])\s+/)
      .map(wordsOf)
      .filter(({ length }) => length > 0);
    const words = sentences.flat();
    if (words.length === 0 || utterances.has(words.join(' '))) continue;
    const sentenceEnds = new Set<number>();
    let count = 0;
    for (const sentence of sentences) sentenceEnds.add((count += sentence.length));
    utterances.set(words.join(' '), { words, sentenceEnds, weight: 1 });
    for (const sentence of sentences.slice(1))
      laterSentences.push({ words: sentence, sentenceEnds: new Set(), weight: 0.5 });
  }
  return { name, utterances: [...utterances.values()], laterSentences };
}

/** Uniform numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    const once = Math.imul(state ^ (state >>> 15), state | 1);
    const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61));
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32;
  };
}
