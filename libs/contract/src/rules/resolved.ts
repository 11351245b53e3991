import { getMetadataStorage } from 'class-validator';
import type { Bounds } from '../limits';
import { ownField, type Class } from './class-facts';
import { planOf, type PlannedField } from './plan';

type Name<T> = Extract<keyof T, string>;

/** The fields of a stored section whose effective value is the stored value or the default. */
export type ResolvedFields<T, ByRule extends keyof T> = {
  [Field in Exclude<keyof T, ByRule>]-?: NonNullable<T[Field]>;
};

const defaultIn = ({ facts }: PlannedField): unknown => facts.default ?? facts.appliedDefault;

/** The defaults of a class by field name, including those that the schema does not state. */
export function defaultsOf<T extends object>(cls: Class<T>): Partial<T> {
  return Object.fromEntries(
    planOf(cls).fields.flatMap((field) => (defaultIn(field) === undefined ? [] : [[field.name, defaultIn(field)]])),
  ) as Partial<T>;
}

/** @throws Error if the field has no default, which is a defect in its declaration */
export function defaultOf<T extends object, Field extends Name<T>>(cls: Class<T>, name: Field): NonNullable<T[Field]> {
  const value = defaultsOf(cls)[name];
  if (value === undefined || value === null) throw new Error(`${cls.name}.${name} has no @Default`);
  return value;
}

/** @throws Error unless the field has both `@Min` and `@Max` */
export function boundsOf<T extends object>(cls: Class<T>, name: Name<T>): Bounds {
  const rules = planOf(cls).byName.get(name)?.rules ?? [];
  const [min, max] = ['min', 'max'].map((rule) => rules.find((each) => each.name === rule)?.constraints[0]);
  if (typeof min !== 'number' || typeof max !== 'number') throw new Error(`${cls.name}.${name} is not bounded`);
  return { min, max };
}

function resolvedFields(cls: Class, byRule: readonly string[]): readonly PlannedField[] {
  return planOf(cls).fields.filter(({ name }) => !byRule.includes(name));
}

/** The effective values of a stored section: for each field of its class that no rule derives, the stored value or the default. Null counts as absent. */
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

/** Rules that limit a value. They are not applied here, because values resolved by a later release may exceed the limits of this one. */
const bounding = new Set(['min', 'max', 'zeroOrRange']);

/**
 * A base class for effective values. It has the fields that `resolve` returns, all of them required.
 * @throws Error if a field has no default, so that the defect is found when the module is loaded
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

/** The paths of all values in objects of a class, such as `voice_polish.tool_wait.delay_ms`; a list counts as one value. */
export function fieldPaths(cls: Class): string[] {
  return planOf(cls).fields.flatMap(({ name, facts }) =>
    facts.nested !== undefined && !facts.nested.each && typeof facts.nested.shape === 'function'
      ? fieldPaths(facts.nested.shape()).map((path) => `${name}.${path}`)
      : [name],
  );
}
