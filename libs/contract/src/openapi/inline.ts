type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function* referencesIn(value: unknown): Generator<string> {
  if (!isObject(value)) return;
  if (typeof value.$ref === 'string') yield value.$ref;
  for (const inner of Object.values(value)) yield* referencesIn(inner);
}

/** Replaces references to these components by their content. */
export function inlined(value: unknown, components: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => inlined(one, components));
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string' && components.has(value.$ref))
    return inlined(components.get(value.$ref), components);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const found = inlined(inner, components);
      const only = name === 'examples' ? onlyExample(found) : undefined;
      return only === undefined ? [name, found] : ['example', only.value];
    }),
  );
}

/** The only example of a body, if it is inline; undefined if it is a reference, or there are several. */
function onlyExample(examples: unknown): { readonly value: unknown } | undefined {
  if (!isObject(examples) || Array.isArray(examples)) return undefined;
  const [only, ...others] = Object.values(examples);
  return others.length === 0 && isObject(only) && 'value' in only ? { value: only.value } : undefined;
}

/** Components to which the document refers only once, so that inlining them makes it shorter. */
export function usedOnce(kind: string, components: Json, document: unknown): Map<string, unknown> {
  const counts = new Map<string, number>();
  for (const reference of referencesIn(document)) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  return new Map(
    Object.entries(components).flatMap(([name, component]) => {
      const reference = `#/components/${kind}/${name}`;
      return counts.get(reference) === 1 ? [[reference, component] as const] : [];
    }),
  );
}
