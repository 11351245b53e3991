import { isNumber, kindOf } from './turn-words';

/** Bounds of the probability that a turn is finished, where words alone are known to mislead the model. */
export interface TurnBounds {
  readonly least: number;
  readonly most: number;
}

/** A turn is judged finished from 0.5 on. */
const finished: TurnBounds = { least: 0.6, most: 1 };
const justFinished: TurnBounds = { least: 0.5, most: 1 };
const unfinished: TurnBounds = { least: 0, most: 0.1 };

/** Answers of one word: texts, in which they mostly begin longer sentences, teach the opposite. */
const answers = new Set(
  (
    'yes yeah yea yep yup no nope nah ok okay alright sure right correct incorrect affirmative negative exactly precisely absolutely definitely certainly confirmed ' +
    'perfect great fine cool stop wait cancel help repeat never maybe ' +
    'thanks goodbye bye none nothing everything both neither either'
  ).split(' '),
);

/** What the number of digits of a telephone number, card or code can be. Groups before that continue. */
const wholeNumbers = new Set([5, 7, 10, 11, 15, 16]);

const streets = new Set(
  'street st avenue ave road rd lane ln drive dr boulevard blvd court ct place pl square terrace highway hwy parkway circle way close crescent'.split(
    ' ',
  ),
);
const beforeName = new Set('north south east west saint new san los apartment apt suite unit floor flat po'.split(' '));
/** Words in the middle of an email address or of something dictated. */
const inner = new Set('dot underscore dash hyphen slash double triple'.split(' '));

/**
 * The cases of their own in an English turn: answers of one word, dictated numbers, spelling and addresses.
 * @param expectedDigits the number of digits that the agent asked for, if that is known
 */
export function boundsOf(words: readonly string[], expectedDigits?: number): TurnBounds | undefined {
  const last = words.at(-1);
  if (last === undefined) return undefined;
  if (inner.has(last)) return unfinished;
  if (words.length === 1) {
    const kind = kindOf(last);
    if (answers.has(last) || kind === 'weekday' || kind === 'month' || kind === 'day') return justFinished;
  }
  return boundsOfDigits(words, expectedDigits) ?? boundsOfSpelling(words) ?? boundsOfAddress(words);
}

const oneDigit = new Set('zero oh o one two three four five six seven eight nine'.split(' '));

/** Digits at the end are a dictated number if single ones follow each other, or groups of at least three. */
function boundsOfDigits(words: readonly string[], expected: number | undefined): TurnBounds | undefined {
  const first = words.findLastIndex((word) => !oneDigit.has(word) && !/^\d+$/.test(word)) + 1;
  const groups = words.slice(first);
  if (groups.length === 0) return undefined;
  const count = groups.reduce((sum, word) => sum + (oneDigit.has(word) ? 1 : word.length), 0);
  if (expected !== undefined) return count >= expected ? finished : unfinished;
  const named = /\b(?:number|code|card|phone|cell|mobile|account|pin|zip) (?:number |code )?(?:is|its)$/.test(
    words.slice(0, first).join(' '),
  );
  const single = groups.length >= 3 && groups.every((word) => oneDigit.has(word) || word.length === 1);
  const grouped = groups.length >= 2 && /^\d{3,}$/.test(groups[0] as string) && !isDate(groups);
  if (!single && !grouped && !named) return undefined;
  if (!single && !grouped && count >= 4) return finished;
  return wholeNumbers.has(count) || count > 16 ? finished : unfinished;
}

/** A year, a month and a day. */
const isDate = (groups: readonly string[]): boolean =>
  groups.length <= 3 && /^(?:19|20)\d\d$/.test(groups[0] as string);

/** Letters at the end: the word is finished when it is the one that was said before, otherwise the more likely the longer it is, but never surely. */
function boundsOfSpelling(words: readonly string[]): TurnBounds | undefined {
  const first = words.findLastIndex((word) => !/^[a-z]$/.test(word)) + 1;
  const letters = words.length - first;
  if (letters < 2 || (letters === 2 && /^(?:am|pm|us|uk|tv|ok|la|id)$/.test(words.slice(first).join(''))))
    return undefined;
  if (words.slice(0, first).includes(words.slice(first).join(''))) return finished;
  return { least: 0, most: Math.min(0.45, 0.05 * letters) };
}

/** After "my address is": a house number and the name of a street are followed by what kind of street it is. */
function boundsOfAddress(words: readonly string[]): TurnBounds | undefined {
  const after =
    /\b(?:address is|live at|living at|located at|staying at|deliver it to|deliver to|ship it to|send it to) (.+)$/.exec(
      words.join(' '),
    )?.[1];
  if (after === undefined) return undefined;
  const parts = after.split(' ');
  const last = parts.at(-1) as string;
  if (beforeName.has(last)) return unfinished;
  if (!isNumber(parts[0] as string)) return undefined;
  const street = parts.findIndex((word) => streets.has(word));
  return street < 0
    ? unfinished
    : isNumber(last) && parts.length - street > 2
      ? undefined
      : street === parts.length - 1
        ? finished
        : undefined;
}
