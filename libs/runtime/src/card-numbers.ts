export const cardNumberMark = '[card number]';

/**
 * Groups of digits with at most two separators between them, as they are written and transcribed. They are not part of a word and do not start with the + of a
 * phone number.
 */
const runs = /(?<![\w+])\d+(?:[ \u00a0.,\-–]{1,2}\d+)*(?!\w)/g;
const groups = /\d+/g;

const fewestDigits = 13;
const mostDigits = 19;

/**
 * Redacts the numbers of payment cards (ISO/IEC 7812) in a text: 13 to 19 digits with a valid check digit (Luhn), grouped in any way. One in ten other numbers
 * of that length also has a valid check digit and is redacted too. Numbers spelled out in words are not found.
 */
export const withoutCardNumbers = (text: string): string =>
  text.length < fewestDigits ? text : text.replace(runs, (run) => (run.length < fewestDigits ? run : redacted(run)));

/** JSON with card numbers redacted in each of its strings. */
export const jsonWithoutCardNumbers = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? withoutCardNumbers(one) : one));

interface Span {
  readonly from: number;
  readonly to: number;
}

function redacted(run: string): string {
  const spans = [...run.matchAll(groups)].map(({ 0: digits, index }) => ({ from: index, to: index + digits.length }));
  let text = '';
  let at = 0;
  for (let first = 0; first < spans.length;) {
    const last = endOfCard(run, spans, first);
    if (last === undefined) {
      first += 1;
      continue;
    }
    text += run.slice(at, (spans[first] as Span).from) + cardNumberMark;
    at = (spans[last] as Span).to;
    first = last + 1;
  }
  return text + run.slice(at);
}

/** The last group of the longest card number that starts at a group; undefined if there is none. */
function endOfCard(run: string, spans: readonly Span[], first: number): number | undefined {
  let digits = '';
  let found: number | undefined;
  for (let last = first; last < spans.length; last += 1) {
    const { from, to } = spans[last] as Span;
    digits += run.slice(from, to);
    if (digits.length > mostDigits) break;
    if (digits.length >= fewestDigits && passesLuhn(digits)) found = last;
  }
  return found;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? 2 * digit : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
