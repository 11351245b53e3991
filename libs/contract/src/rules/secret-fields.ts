import type { JsonObject, JsonValue } from '../json/json-value';
import type { Class, NestedFacts, SecretKind } from './class-facts';
import { planOf } from './plan';

/** The text that replaces hidden values. */
export const secretMask = '***';

/** Whether an object of the class can contain a secret, at any depth. */
export function holdsSecrets(cls: Class, seen = new Set<Class>()): boolean {
  if (seen.has(cls)) return false;
  seen.add(cls);
  return planOf(cls).fields.some(
    ({ facts }) => facts.secret !== undefined || classesOf(facts.nested).some((inner) => holdsSecrets(inner, seen)),
  );
}

/**
 * Removes from a document, in place, what its class marks with `@Secret()`.
 * @returns the paths of what was removed or masked, with list positions as [n]
 */
export function removeSecrets(cls: Class, document: JsonObject, path = ''): string[] {
  return planOf(cls).fields.flatMap(({ name, facts }) => {
    const value = document[name];
    const at = path === '' ? name : `${path}.${name}`;
    if (value === undefined || value === null) return [];
    if (facts.secret !== undefined) return removeSecret(facts.secret, document, name, at);
    const { nested } = facts;
    if (nested === undefined) return [];
    const items: readonly (readonly [string, JsonValue])[] = Array.isArray(value)
      ? value.map((item, index) => [`${at}[${index}]`, item] as const)
      : [[at, value]];
    return items.flatMap(([where, item]) => {
      const inner = isObject(item) ? classOf(nested, item) : undefined;
      return inner === undefined || !isObject(item) ? [] : removeSecrets(inner, item, where);
    });
  });
}

function removeSecret(kind: SecretKind, owner: JsonObject, name: string, at: string): string[] {
  const value = owner[name] ?? null;
  if (kind === 'mask-tool-headers') {
    // The field is a value in a change between two publications, and the path of the change points into the headers themselves.
    if (typeof owner['path'] === 'string' && /^\/tools\/[^/]+\/headers(\/|$)/.test(owner['path'])) {
      owner[name] = masked(value);
      return [at];
    }
    return maskToolHeaders(value, at);
  }
  if (kind === 'mask-values' && isObject(value)) owner[name] = masked(value);
  else delete owner[name];
  return [at];
}

const masked = (value: JsonValue): JsonValue =>
  isObject(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, secretMask])) : secretMask;

function maskToolHeaders(value: JsonValue, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => maskToolHeaders(item, `${at}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name !== 'headers' || value['type'] !== 'webhook') return maskToolHeaders(inner, `${at}.${name}`);
    value[name] = masked(inner);
    return [`${at}.${name}`];
  });
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function classOf({ shape }: NestedFacts, value: JsonObject): Class | undefined {
  if (typeof shape === 'function') return shape();
  const kind = value[shape.property];
  return typeof kind === 'string' ? shape.classes[kind]?.() : undefined;
}

function classesOf(nested: NestedFacts | undefined): readonly Class[] {
  if (nested === undefined) return [];
  const { shape } = nested;
  return typeof shape === 'function' ? [shape()] : Object.values(shape.classes).map((of) => of());
}
