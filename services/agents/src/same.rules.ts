/**
 * Whether two JSON values are equal, whatever the order of their keys. undefined equals only undefined, and an undefined field equals an absent one. The values
 * are not serialized for the comparison, because a save compares up to 32 profiles several times.
 */
export function same(left: unknown, right: unknown): boolean {
  // Unchanged values are usually identical references, so that long prompts and profiles need not be compared.
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (!Array.isArray(left) || !Array.isArray(right))
    return Array.isArray(left) === Array.isArray(right) && sameFields(left, right);
  return left.length === right.length && left.every((item, index) => same(item, right[index]));
}

/** Whether two objects are equal, field by field; a field that is undefined equals one that is absent. */
export function sameFields<T extends object>(left: T, right: T): boolean {
  const names = Object.keys(left) as (keyof T)[];
  return (
    names.every((name) => same(left[name], right[name])) &&
    (Object.keys(right) as (keyof T)[]).every((name) => right[name] === undefined || left[name] !== undefined)
  );
}
