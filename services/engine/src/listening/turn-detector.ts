import { baseLanguage } from '@parley/contract';
import endingsByLanguage from './turn-endings.json';
import { boundsOf } from './turn-rules';
import { scoreOf, type TurnModel } from './turn-weights';
import { wordsOf } from './turn-words';

/** What the caller has said so far in a turn. */
export interface TurnSoFar {
  readonly text: string;
  readonly language: string;
  /** The number of digits that the agent asked for, if that is known. */
  readonly expectedDigits?: number;
}

interface Endings {
  /** Words and phrases that cannot end a turn. */
  readonly words: ReadonlySet<string>;
  readonly phrases: readonly string[];
  /** What people say while they think. */
  readonly hesitations: ReadonlySet<string>;
  /** After one of these, a word such as the French "un" is a number. */
  readonly numbers: ReadonlySet<string>;
}

const listOf = (words = ''): ReadonlySet<string> => new Set(wordsOf(words));

const endings: ReadonlyMap<string, Endings> = new Map(
  Object.entries(
    endingsByLanguage as Record<string, { endings: string; phrases: string[]; hesitations: string; numbers?: string }>,
  ).map(([language, { endings: words, phrases, hesitations, numbers }]) => [
    language,
    {
      words: listOf(words),
      phrases: phrases.map((phrase) => ` ${wordsOf(phrase).join(' ')}`),
      hesitations: listOf(hesitations),
      numbers: listOf(numbers),
    },
  ]),
);

/** The score that 95 % of the finished turns of texts reach which the model was not trained on; it becomes a probability of one half. */
const finishedScore = -2;
const unfinishedProbability = 0.05;

/**
 * The probability that the caller has finished, from the words alone. For a language without a model it is known only that some words cannot end a turn;
 * undefined: nothing is known.
 */
export function turnFinished(model: TurnModel, { text, language, expectedDigits }: TurnSoFar): number | undefined {
  const words = wordsOf(text);
  const base = baseLanguage(language);
  const list = endings.get(base);
  if (words.length === 0 || list === undefined) return undefined;
  if (cannotEnd(words, list)) return unfinishedProbability;
  if (base !== 'en') return undefined;
  const { least, most } = boundsOf(words, expectedDigits) ?? { least: 0, most: 1 };
  const probability = 1 / (1 + Math.exp(finishedScore - scoreOf(words, model)));
  return Math.min(most, Math.max(least, probability));
}

function cannotEnd(words: readonly string[], { words: list, phrases, hesitations, numbers }: Endings): boolean {
  const last = words.at(-1) as string;
  if (hesitations.has(last)) return true;
  // A word alone may be another one: "para" also is the Spanish word for "stop".
  const previous = words.at(-2);
  if (previous !== undefined && list.has(last) && !numbers.has(previous)) return true;
  const said = ` ${words.join(' ')}`;
  return phrases.some((phrase) => said.endsWith(phrase));
}
