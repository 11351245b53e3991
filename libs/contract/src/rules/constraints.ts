import type { FieldErrorCode } from '@parley/errors';
import { IsInt, Max, Min, ValidateBy, type ValidationOptions } from 'class-validator';
import { maxJsonDepth, type Bounds } from '../limits';
import type { TextBounds } from './class-facts';

/** Counts Unicode code points. (validator.js does not count variation selectors, so its bounds could be circumvented.) */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}

/** What is wrong with a value: a code, and the end of the message. */
export interface Problem {
  readonly code: FieldErrorCode;
  readonly problem: string;
}

/** What is wrong with a text; undefined if it is valid. */
export function textProblem(value: unknown, bounds: TextBounds): Problem | undefined {
  if (typeof value !== 'string') return { code: 'type', problem: 'must be a string' };
  if (!value.isWellFormed() || value.includes('\0'))
    return { code: 'format', problem: 'must be well-formed Unicode without U+0000' };
  const { min = 0, max = Infinity, pattern } = bounds;
  const length = codePoints(bounds.collapsed ? collapse(value) : bounds.trimmed ? value.trim() : value);
  if (length < min || length > max)
    return { code: length < min ? 'too_short' : 'too_long', problem: lengthError(min, max) };
  if (pattern && !pattern.test(value))
    return { code: 'format', problem: `must be ${bounds.description ?? `of the form ${pattern.source}`}` };
  const problem = bounds.refusal?.(value);
  return problem === undefined ? undefined : { code: 'not_allowed', problem };
}

/** What is wrong with a text, as the end of a sentence; undefined if it is valid. */
export const textError = (value: unknown, bounds: TextBounds): string | undefined =>
  textProblem(value, bounds)?.problem;

/** Replaces each run of tabs, newlines and spaces by one space, and trims both ends. */
export function collapse(text: string): string {
  return text.replace(/[\t\n\r ]+/g, ' ').trim();
}

function lengthError(min: number, max: number): string {
  if (max === Infinity) return `must have at least ${min} character${min === 1 ? '' : 's'}`;
  return min === 0 ? `must have at most ${max} characters` : `must have ${min} to ${max} characters`;
}

/** A string of well-formed Unicode without U+0000, within the bounds. With `each`, this applies to every item of a list. */
export const Text = (bounds: TextBounds = {}, options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'text',
      constraints: [bounds],
      validator: {
        validate: (value: unknown) => textError(value, bounds) === undefined,
        defaultMessage: (args) => `$property ${textError(args?.value, bounds) ?? ''}`,
      },
    },
    options,
  );

/** A whole number within the bounds, which are inclusive. */
export const IntWithin =
  ({ min, max }: Bounds): PropertyDecorator =>
  (prototype, name) => {
    for (const rule of [Max(max), Min(min), IsInt()]) rule(prototype, name);
  };

/** A free-form JSON object (neither an array nor null) of at most `maxBytes` of UTF-8 when serialized. Its strings must be valid like any other text. */
export const JsonObjectWithin = (maxBytes: number): PropertyDecorator =>
  ValidateBy({
    name: 'jsonObject',
    constraints: [maxBytes],
    validator: {
      validate: (value: unknown) =>
        isObject(value) && isStorable(value, maxJsonDepth) && Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
      defaultMessage: () => `$property must be an object of at most ${maxBytes} bytes`,
    },
  });

/**
 * Whether a JSON value has no U+0000 or lone surrogates in names and strings, and is nested at most `depth` deep. Output of the strict parser always satisfies
 * this.
 */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return textError(value, {}) === undefined;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.entries(value).every(
    ([name, item]) => textError(name, {}) === undefined && isStorable(item, depth - 1),
  );
}

export interface EntryBounds {
  readonly maxEntries: number;
  readonly key: TextBounds;
  readonly value: TextBounds;
}

/** An object whose values are strings. The bounds apply to the number of keys, to each key and to each value. */
export const Entries = (bounds: EntryBounds): PropertyDecorator =>
  ValidateBy({
    name: 'entries',
    constraints: [bounds],
    validator: {
      validate: (value: unknown) => entriesProblem(value, bounds) === undefined,
      defaultMessage: () => '$property must be an object of strings',
    },
  });

/** What is wrong with such an object, and in which entry; undefined if it is valid. */
export function entriesProblem(value: unknown, bounds: EntryBounds): (Problem & { readonly key?: string }) | undefined {
  if (!isObject(value)) return { code: 'type', problem: 'must be an object of strings' };
  const entries = Object.entries(value);
  if (entries.length > bounds.maxEntries)
    return { code: 'too_long', problem: `must have at most ${bounds.maxEntries} keys` };
  for (const [key, text] of entries) {
    const ofKey = textProblem(key, bounds.key);
    if (ofKey)
      return { code: 'format', problem: `has a key that ${ofKey.problem}: ${JSON.stringify(key.slice(0, 100))}` };
    const ofValue = textProblem(text, bounds.value);
    if (ofValue) return { ...ofValue, key };
  }
  return undefined;
}

/** A time as ISO 8601 with a time zone, such as 2026-01-31T12:00:00.000Z. The date must exist in the calendar. */
export const Timestamp = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'timestamp',
      constraints: [],
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isTimestamp(value),
        defaultMessage: () => '$property must be an ISO 8601 time with a zone',
      },
    },
    options,
  );

const timestampForm =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The rule of `Timestamp`, for a value that is not a field of a class. */
export function isTimestamp(value: string): boolean {
  const parts = timestampForm.exec(value);
  if (!parts) return false;
  // Date.parse would interpret 31 February as a day in March.
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Whether a value is a JSON object, that is, not null, not an array and not a primitive value. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
