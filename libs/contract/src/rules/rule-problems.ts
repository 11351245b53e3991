import type { FieldErrorCode } from '@parley/errors';
import { entriesProblem, isObject, textProblem, type EntryBounds, type Problem } from './constraints';
import type { TextBounds } from './class-facts';

/** `problem` is absent if the rule's own message is sufficient; `key` is the invalid entry. */
type Found = Pick<Problem, 'code'> & { readonly problem?: string; readonly key?: string };

const items = (count: unknown): string => `${String(count)} ${count === 1 ? 'item' : 'items'}`;

const codes: Readonly<Record<string, FieldErrorCode>> = {
  isInt: 'type',
  isBoolean: 'type',
  isArray: 'type',
  scalar: 'type',
  min: 'too_small',
  max: 'too_large',
  isIn: 'not_allowed',
  equals: 'not_allowed',
  scope: 'not_allowed',
  timestamp: 'format',
  cidr: 'format',
};

/** How a violated rule is reported: the code, and a message if that of class-validator is unclear. */
export function problemOf(name: string, constraints: readonly unknown[], value: unknown): Found {
  const [first] = constraints;
  switch (name) {
    case 'text':
      return textProblem(value, first as TextBounds) ?? { code: 'format' };
    case 'entries':
      return entriesProblem(value, first as EntryBounds) ?? { code: 'format' };
    case 'isNumber':
      return { code: 'type', problem: 'must be a number' };
    case 'arrayMinSize':
      return notAList(value) ?? { code: 'too_short', problem: `must have at least ${items(first)}` };
    case 'arrayMaxSize':
      return notAList(value) ?? { code: 'too_long', problem: `must have at most ${items(first)}` };
    case 'arrayUnique':
      return notAList(value) ?? { code: 'duplicate', problem: 'must not name an item twice' };
    case 'jsonObject':
      return { code: isObject(value) ? 'too_long' : 'type' };
    case 'zeroOrRange':
      return zeroOrRange(first as { min: number }, value);
    case 'min':
    case 'max':
      return typeof value === 'number' ? { code: codes[name] ?? 'format' } : { code: 'type' };
    default:
      return { code: codes[name] ?? 'format' };
  }
}

const notAList = (value: unknown): Found | undefined =>
  Array.isArray(value) ? undefined : { code: 'type', problem: 'must be an array' };

function zeroOrRange({ min }: { readonly min: number }, value: unknown): Found {
  if (typeof value !== 'number') return { code: 'type' };
  return { code: value < min ? 'too_small' : 'too_large' };
}
