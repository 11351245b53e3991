import type { Class, NestedFacts } from './class-facts';
import { planOf } from './plan';

/**
 * The value of the `Deprecation` header (RFC 9745): since when the fields marked with `@Deprecated()` are deprecated, as `@` and seconds since 1970. The date
 * is 2026-01-01, before the first release, because this platform never applied them.
 */
export const deprecatedSince = '@1767225600';

/** The names of deprecated fields anywhere in a class. */
export function deprecatedFieldsOf(cls: Class, seen = new Set<Class>()): readonly string[] {
  if (seen.has(cls)) return [];
  seen.add(cls);
  return planOf(cls).fields.flatMap(({ name, facts }) => [
    ...(facts.deprecated === true ? [name] : []),
    ...classesOf(facts.nested).flatMap((inner) => deprecatedFieldsOf(inner, seen)),
  ]);
}

function classesOf(nested: NestedFacts | undefined): readonly Class[] {
  if (nested === undefined) return [];
  const { shape } = nested;
  return typeof shape === 'function' ? [shape()] : Object.values(shape.classes).map((classOf) => classOf());
}
