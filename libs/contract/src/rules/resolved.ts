import { getMetadataStorage } from 'class-validator';
import type { Bounds } from '../limits';
import { ownField, type Class } from './class-facts';
import { planOf, type PlannedField } from './plan';

type Name<T> = Extract<keyof T, string>;

/** The fields of a stored section whose effective value is the stored one, or else the default. */
export type ResolvedFields<T, ByRule extends keyof T> = {
  [Field in Exclude<keyof T, ByRule>]-?: NonNullable<T[Field]>;
};

const defaultIn = ({ facts }: PlannedField): unknown => facts.default ?? facts.appliedDefault;

/** The defaults of a class by field, including those not stated in the schema. */
export function defaultsOf<T extends object>(cls: Class<T>): Partial<T> {
  return Object.fromEntries(
    planOf(cls).fields.flatMap((field) => (defaultIn(field) === undefined ? [] : [[field.name, defaultIn(field)]])),
  ) as Partial<T>;
}

/** @throws Error if the field has none, which is a bug in its declaration */
export function defaultOf<T extends object, Field extends Name<T>>(cls: Class<T>, name: Field): NonNullable<T[Field]> {
  const value = defaultsOf(cls)[name];
  if (value === undefined || value === null) throw new Error(`${cls.name}.${name} has no @Default`);
  return value;
}

/** @throws Error if the field does not have both `@Min` and `@Max` */
export function boundsOf<T extends object>(cls: Class<T>, name: Name<T>): Bounds {
  const rules = planOf(cls).byName.get(name)?.rules ?? [];
  const [min, max] = ['min', 'max'].map((rule) => rules.find((each) => each.name === rule)?.constraints[0]);
  if (typeof min !== 'number' || typeof max !== 'number') throw new Error(`${cls.name}.${name} is not bounded`);
  return { min, max };
}

function resolvedFields(cls: Class, byRule: readonly string[]): readonly PlannedField[] {
  return planOf(cls).fields.filter(({ name }) => !byRule.includes(name));
}

/**
 * The effective values of a stored section: of every field of its class but those that a rule derives, what is stored, else the default.
 * A null is read as absent.
 */
export function resolve<T extends object, ByRule extends Name<T>>(
  cls: Class<T>,
  stored: T | null | undefined,
  byRule: readonly ByRule[],
): ResolvedFields<T, ByRule> {
  const given = (stored ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    resolvedFields(cls, byRule).map((field) => [field.name, given[field.name] ?? defaultIn(field)]),
  ) as ResolvedFields<T, ByRule>;
}

/** Rules that bound a value: values resolved by a later release may exceed the bounds of this one. */
const bounding = new Set(['min', 'max', 'zeroOrRange']);

/**
 * A base class for effective values: the same fields as `resolve` gives, all of them required.
 * @throws Error when a field has no default, so that a section with such a field does not load
 */
export function Resolved<T extends object, ByRule extends Name<T>, Base extends object = object>(
  cls: Class<T>,
  byRule: readonly ByRule[],
  base?: Class<Base>,
): Class<Base & ResolvedFields<T, ByRule>> {
  const target = class extends ((base ?? Object) as Class) {};
  const fields = resolvedFields(cls, byRule);
  for (const field of fields) {
    if (defaultIn(field) === undefined) throw new Error(`${cls.name}.${field.name} has no default and no rule`);
    const { description, nested } = field.facts;
    Object.assign(ownField(target.prototype, field.name), { presence: 'required', description, nested });
  }
  const names = new Set(fields.map(({ name }) => name));
  const storage = getMetadataStorage();
  for (const metadata of storage.getTargetValidationMetadatas(cls, '', false, false)) {
    if (!names.has(metadata.propertyName)) continue;
    const [constraint] = storage.getTargetValidatorConstraints(metadata.constraintCls);
    if (bounding.has(metadata.name ?? constraint?.name ?? '')) continue;
    const copy = Object.create(Object.getPrototypeOf(metadata) as object) as typeof metadata;
    storage.addValidationMetadata(Object.assign(copy, metadata, { target }));
  }
  return target as Class<Base & ResolvedFields<T, ByRule>>;
}

/** Every value in the objects of a class, as a path such as `voice_polish.tool_wait.delay_ms`; a list counts as one value. */
export function fieldPaths(cls: Class): string[] {
  return planOf(cls).fields.flatMap(({ name, facts }) =>
    facts.nested !== undefined && !facts.nested.each && typeof facts.nested.shape === 'function'
      ? fieldPaths(facts.nested.shape()).map((path) => `${name}.${path}`)
      : [name],
  );
}
