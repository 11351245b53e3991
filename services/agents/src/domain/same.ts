import { canonicalJson } from '@parley/contract';

/** Whether two JSON values are equal, whatever the order of their keys; undefined equals undefined alone. */
export function same(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return left === right;
  return canonicalJson(left) === canonicalJson(right);
}
