import outWordsByLanguage from './opt-out-words.json';

/** Whether a recipient opted out or in again. */
export type OptChange = 'out' | 'in';

/**
 * The words that opt out, by the languages of the countries that can be called (ISO 639; of each territory the likely language of CLDR). English and French
 * are those that networks and regulators require: 47 CFR 64.1200(a)(10) and the CTIA Messaging Principles (STOP, QUIT, END, REVOKE, OPT OUT, CANCEL,
 * UNSUBSCRIBE), and the keywords that carriers obey (STOPALL, REMOVE, ARRET). The others are the words for "stop" and "unsubscribe" of each language. Only words
 * that mean nothing else as a whole message.
 */
export const outWords: Readonly<Record<string, readonly string[]>> = outWordsByLanguage;

const inWords = ['START', 'UNSTOP', 'YES', 'OPTIN', 'СТАРТ', 'INICIO', 'DÉMARRER'];

/** Longer first lines are messages, not keywords. */
const longestLine = 40;

/**
 * A message as a keyword: its first line with text, without case, marks (accents), spaces, punctuation, symbols, emoji and characters that cannot be seen. What
 * follows, such as the signature of a telephone, does not count. Empty for a longer line.
 */
export function soleWordOf(body: string): string {
  const lines = body.split(/[\n\r\u2028\u2029]/).map(keywordOf);
  const first = lines.find((line) => line !== '') ?? '';
  return first.length > longestLine ? '' : first;
}

/** NFKC makes one letter of all its widths and forms; decomposed, the marks can be removed. */
const keywordOf = (line: string): string =>
  line
    .slice(0, 4 * longestLine)
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{P}\p{S}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');

const changes = new Map<string, OptChange>([
  ...Object.values(outWords).flatMap((words) => words.map((word) => [keywordOf(word), 'out'] as const)),
  ...inWords.map((word) => [keywordOf(word), 'in'] as const),
]);

/**
 * Whether a message is an opt-out or an opt-in. Its first line must consist of the keyword alone. A sentence that contains the keyword is a normal message.
 */
export const optChangeOf = (body: string): OptChange | undefined => changes.get(soleWordOf(body));
