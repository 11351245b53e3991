import { isUtf8 } from 'node:buffer';
import { badRequest, fieldErrors, invalidField } from '@parley/errors';
import { maxJsonDepth } from '../limits';
import type { Class } from '../rules/class-facts';
import type { JsonObject } from './json-value';
import { KnownNames, type Names } from './known-names';
import { readJson } from './read-json';

/** Maximum of names in one object. Free-form objects have at most 64 KiB, so none of them has as many. */
const mostNames = 10_000;
/** Reading a body ends after this many names that its class does not have, because more errors help no one, and a body of one mebibyte has room for 100,000. */
const mostUnknown = 100;
const longestNameShown = 100;

/**
 * Parses a request body. It refuses with 400: bytes that are not UTF-8 (including a byte order mark), text that is not JSON, a value that is not an object, a
 * duplicate name, the name `__proto__`, nesting deeper than 64, U+0000 or a lone surrogate in a string, and a number that a double cannot represent as written:
 * 1e999, an integer beyond 2^53-1 (also inside free-form objects), 1e-999, 1.00000000000000000001.
 * JSON.parse decides whether the text is JSON (V8's parser is iterative, so it cannot overflow the stack). Before it, one scan of the text, which may not be
 * JSON, finds what JSON.parse accepts silently: the scan is the cheaper part where a body has many names. No library is used: lossless-json 4 is as fast (about 25 microseconds for 2 KB, three times the
 * time of JSON.parse), but it overflows the stack at 40,000 levels, accepts a duplicate name with equal values, and silently drops `__proto__`.
 * @param cls the class of the body: 100 names that it does not have are refused without reading further. Default: none, any names are read
 */
export function parseJsonStrict(bytes: Buffer, cls?: Class): JsonObject {
  if (!isUtf8(bytes)) throw badRequest('the body must be valid JSON: it is not UTF-8');
  return parseJsonTextStrict(bytes.toString('utf8'), cls);
}

/** `parseJsonStrict` for text that is already decoded. */
export function parseJsonTextStrict(text: string, cls?: Class): JsonObject {
  const escapedName = scan(text, cls === undefined ? 'any' : KnownNames.of(cls));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('the body must be valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('the body must be a JSON object');
  // V8 may misread names that contain an escape; see readJson.
  return (escapedName ? readJson(text) : value) as JsonObject;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;

/** An open object or array. */
interface Open {
  /** The names so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  /** The names that the object, or an item of the array, may have. */
  readonly known: Names;
  /** The last name or the position. */
  at: string | number;
  /** The names inside the current value. */
  inside: Names;
}

/** Checks text in one pass, on the assumption that it is JSON; returns true if it contains a name with an escape. */
function scan(text: string, known: Names): boolean {
  let escapedName = false;
  const open: Open[] = [];
  const unknown: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      // indexOf is not used here: after optimization, V8 runs it for every character of the text, which takes half a minute for a mebibyte of white space.
      let end = endOfPlain(text, at + 1);
      const escaped = text.charCodeAt(end) === backslash;
      while (text.charCodeAt(end) === backslash) end = endOfPlain(text, end + 2);
      // A string followed by a colon is a name; only names are compared.
      const holder = open[open.length - 1];
      const isName = holder?.names !== undefined && followedByColon(text, end + 1);
      const content = text.slice(at + 1, end);
      if (isName) {
        addName(holder.names, (holder.at = escaped ? unescaped(content, open.slice(0, -1)) : content));
        escapedName ||= escaped;
        if (!enter(holder)) {
          unknown.push(pathOf(open));
          if (unknown.length === mostUnknown) throw unknownNames(unknown);
        }
      }
      if (!isName && escaped && content.includes('\\u')) unescaped(content, open);
      at = end;
    } else if (code === openBrace || code === openBracket) {
      if (open.length === maxJsonDepth) throw badRequest(`the body must be nested at most ${maxJsonDepth} levels deep`);
      const inside = open.at(-1)?.inside ?? known;
      if (code === openBrace) open.push({ names: new Set(), known: inside, at: '', inside: 'any' });
      else open.push({ names: undefined, known: inside, at: 0, inside });
    } else if (code === closeBrace || code === closeBracket) {
      open.pop();
    } else if (code === comma) {
      const holder = open[open.length - 1];
      if (typeof holder?.at === 'number') holder.at += 1;
    } else if (code === minus || (code >= zero && code <= nine)) {
      const end = endOfNumber(text, at);
      // A number with up to 15 digits is always exact.
      if (end - at > 15 || hasExponent(text, at, end))
        checkNumber(text.slice(at, end), known !== 'any' && isFree(open.at(-1)));
      at = end - 1;
    }
  }
  return escapedName;
}

/** Notes what the value of an object's last name may contain; returns false if the name is unknown. */
function enter(holder: Open): boolean {
  const { known, at } = holder;
  const inside = typeof known === 'string' ? known : known.at(String(at));
  holder.inside = inside ?? 'none';
  return holder.inside !== 'none';
}

/** Whether the value at hand belongs to a free-form object, and not to a field of a class. */
const isFree = (holder: Open | undefined): boolean =>
  holder?.known === 'any' || (holder?.known instanceof KnownNames && holder.known.isFree(String(holder.at)));

const pathOf = (open: readonly Open[]): string =>
  open.reduce((path, { at }) => {
    const part = typeof at === 'number' ? `[${at}]` : at.slice(0, longestNameShown);
    return path === '' || typeof at === 'number' ? path + part : `${path}.${part}`;
  }, '');

const unknownNames = (paths: readonly string[]): Error =>
  fieldErrors(paths.map((path) => ({ path, code: 'unknown_field', message: `${path} is not a known field` })));

/** The content of a string with escapes. In text that was valid UTF-8, only an escape can produce U+0000 or a lone surrogate. */
function unescaped(literal: string, open: readonly Open[]): string {
  let content: string;
  try {
    content = JSON.parse(`"${literal}"`) as string;
  } catch {
    throw badRequest('the body must be valid JSON');
  }
  if (!content.isWellFormed() || content.includes('\0')) {
    const path = pathOf(open) || 'the body';
    throw invalidField(path, 'format', 'must be well-formed Unicode without U+0000');
  }
  return content;
}

const plain = /[^"\\]*/y;

/** The position of the next quote or backslash in a string. */
function endOfPlain(text: string, start: number): number {
  // Text that is not JSON may end with a backslash.
  if (start >= text.length) return text.length;
  plain.lastIndex = start;
  plain.test(text);
  return plain.lastIndex;
}

function followedByColon(text: string, start: number): boolean {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === colon;
}

function addName(names: Set<string>, name: string): void {
  if (name === '__proto__') throw badRequest('the body must not use the name __proto__');
  const count = names.size;
  if (count === mostNames) throw badRequest(`an object of the body must have at most ${mostNames} names`);
  if (names.add(name).size === count)
    throw badRequest(`the body must not contain a name twice: ${JSON.stringify(name.slice(0, longestNameShown))}`);
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  // A number consists of digits, '.', '+', '-', 'e' and 'E': any other character ends it.
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!((code >= zero && code <= nine) || code === 0x2e || code === 0x2b || code === minus || (code | 0x20) === 0x65))
      break;
  }
  return at;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((text.charCodeAt(at) | 0x20) === 0x65) return true;
  return false;
}

/** @param free the number is in a free-form object, where one with an exponent may be beyond the integers that a double counts */
function checkNumber(literal: string, free: boolean): void {
  const value = Number(literal);
  const [mantissa = '', exponent] = literal.split(/e/i);
  const isExact = free && exponent !== undefined && mantissa.length <= 15;
  const lost =
    !Number.isFinite(value) ||
    (Number.isInteger(value) && !Number.isSafeInteger(value) && !isExact) ||
    (value === 0 && /[1-9]/.test(mantissa)) ||
    (exponent === undefined && Number.isInteger(value) && /\.\d*[1-9]/.test(mantissa));
  if (lost) throw badRequest(`the body must contain only numbers within the safe range: ${literal.slice(0, 40)}`);
}
