import { canonicalJson } from '@parley/contract';

/** Whether two JSON values are equal, whatever the order of their keys; undefined equals undefined alone. */
export function same(left: unknown, right: unknown): boolean {
  // What a change left alone is the very same value: prompts and profiles need not be written out to be compared.
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  return canonicalJson(left) === canonicalJson(right);
}

/** Whether two objects are equal, field by field; a field that is undefined equals one that is absent. */
export function sameFields<T extends object>(left: T, right: T): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof T>;
  return [...names].every((name) => same(left[name], right[name]));
}
