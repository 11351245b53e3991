import type { Class, NestedFacts } from './class-facts';
import { planOf } from './plan';

/**
 * The value of the `Deprecation` header (RFC 9745): since when the fields marked `@Deprecated()` are, as seconds of the epoch
 * behind an `@`. 2026-01-01, before the first release: they were never applied by this platform.
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
