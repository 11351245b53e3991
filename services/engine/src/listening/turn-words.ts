/** Words of one kind, of which another would have done as well: a turn that ends in "friday" ends in "monday" too. */
const kinds = {
  weekday:
    'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun mondays tuesdays wednesdays thursdays fridays saturdays sundays',
  month:
    'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec',
  digit:
    'zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  tens: 'twenty thirty forty fifty sixty seventy eighty ninety',
  ordinal:
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth',
  hour: 'am pm oclock noon midnight',
  day: 'today tonight tomorrow yesterday now later soon',
  unit: 'minutes minute hours hour days day weeks week months month years year seconds people persons person guests adults kids dollars pounds euros',
} as const;
/** In texts "may" is mostly a verb, and "oh" an exclamation. */
const ambiguous = new Set(['may', 'oh']);

export type WordKind = keyof typeof kinds;

const kindsByWord: ReadonlyMap<string, WordKind> = new Map(
  (Object.keys(kinds) as WordKind[]).flatMap((kind) => kinds[kind].split(' ').map((word) => [word, kind] as const)),
);

/** What a word is alike to, or itself: numbers of the same number of digits are one word. */
export function alike(word: string): string {
  if (/^\d/.test(word)) return /^\d+(?:st|nd|rd|th)$/.test(word) ? '@ordinal' : digitsAlike(word);
  const kind = ambiguous.has(word) ? undefined : kindsByWord.get(word);
  return kind === undefined ? word : `@${kind}`;
}

const digitsAlike = (digits: string): string =>
  digits.length <= 2 && Number(digits) <= 12 ? '@digit' : `@${Math.min(digits.length, 6)}`;

/** Whether the word is a number as it is dictated: digits or the word of one. */
export const isNumber = (word: string): boolean =>
  /^\d+$/.test(word) ||
  ['digit', 'tens'].includes(kindsByWord.get(word) ?? '') ||
  ['double', 'triple', 'hundred', 'thousand'].includes(word);

export const kindOf = (word: string): WordKind | undefined => kindsByWord.get(word);

/** What a transcriber writes apart although it is one word: "don t", "i m". */
const apart = /\b(?:(?<not>\w+n) t|(?<i>i) (?<am>m)|(?<they>i|you|he|she|it|we|they|that) (?<have>ll|re|ve|d))(?= |$)/g;

/** The words of a text as a person says them: without case, punctuation and apostrophes, and a number apart from what is written to it ("7pm"). */
export function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll(/['’`]/g, '')
    .replaceAll(/[-/–—:]/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N} ]+/gu, (signs) => (/\s/.test(signs) ? ' ' : ''))
    .replaceAll(/(\d)(?!(?:st|nd|rd|th)(?: |$))(?=\p{L})/gu, '$1 ')
    .replaceAll(apart, (all) => all.replace(' ', ''));
  return plain.split(/\s+/).filter((word) => word !== '');
}
