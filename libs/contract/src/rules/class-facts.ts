import type { ErrorCode } from '@parley/errors';

/** A contract class: constructed without arguments, with fields declared by decorators. */
export type Class<T extends object = object> = new () => T;

export type ClassOf = () => Class;

/** Bounds of a string, in Unicode code points (as JSON Schema counts them). */
export interface TextBounds {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** The meaning of the pattern, for the message: "must be <description>". */
  readonly description?: string;
  /** Length is checked after collapsing whitespace and trimming both ends. */
  readonly collapsed?: boolean;
  /** Length is checked after trimming both ends. */
  readonly trimmed?: boolean;
}

/** The values of an object field. */
export interface NestedFacts {
  /** One class, or several distinguished by the value of one property. */
  readonly shape: ClassOf | { readonly property: string; readonly classes: Readonly<Record<string, ClassOf>> };
  /** A list of such values. */
  readonly each: boolean;
  /** A plain string is accepted too, within these bounds. */
  readonly orText?: TextBounds;
}

/** The form of a field in reads if it differs from the form in writes. */
export interface ReadForm {
  /** The class of that form, for the schema. */
  readonly of: ClassOf;
  /** Whether an object has that form. */
  readonly is: (value: Readonly<Record<string, unknown>>) => boolean;
  /** The part that a write uses; without it, the stored field is left unchanged. */
  readonly part?: string;
}

/**
 * How the result of an MCP tool is kept free of a secret that a field holds: the field is left out; the values of its object are
 * masked; or the headers of the webhook tools somewhere inside it are.
 */
export type SecretKind = 'leave-out' | 'mask-values' | 'mask-tool-headers';

/** The facts declared about a field by this library's decorators, in addition to the rules stored by class-validator. */
export interface FieldFacts {
  presence?: 'required' | 'optional';
  nullable?: boolean;
  readOnly?: boolean;
  deprecated?: boolean;
  secret?: SecretKind;
  /** Documented, but only applied by the query parser: an absent body field must stay absent. */
  default?: unknown;
  /** The default applied by the platform for a field whose schema states none. */
  appliedDefault?: unknown;
  nested?: NestedFacts;
  readForm?: ReadForm;
  url?: 'http' | 'websocket';
  description?: string;
  example?: unknown;
}

/** A rule over several fields of one object: the error as `<field> <what is wrong>`, or undefined. */
export type ObjectRule = (value: never) => string | undefined;

export interface ClassFacts {
  readonly fields: Map<string, FieldFacts>;
  closed: boolean;
  /** Unknown names are kept unchanged (free-form objects with a few known names). */
  open: boolean;
  /** Read-only names of the same resource: accepted on write and ignored. */
  ignored: Set<string>;
  /** Names that belong to another route, with that route. */
  elsewhere: Map<string, string>;
  rules: ObjectRule[];
  /** The error code if the object is null, empty or lacks a required field. */
  absentCode?: ErrorCode;
  description?: string;
}

const own = new WeakMap<object, ClassFacts>();

const emptyFacts = (): ClassFacts => ({
  fields: new Map(),
  closed: false,
  open: false,
  ignored: new Set(),
  elsewhere: new Map(),
  rules: [],
});

/** The facts declared on this very prototype, created on first use by a decorator. */
export function ownFacts(prototype: object): ClassFacts {
  let facts = own.get(prototype);
  if (!facts) own.set(prototype, (facts = emptyFacts()));
  return facts;
}

/** The facts of one field of this very prototype. */
export function ownField(prototype: object, name: string): FieldFacts {
  const { fields } = ownFacts(prototype);
  let field = fields.get(name);
  if (!field) fields.set(name, (field = {}));
  return field;
}

/** All facts of a class; those of base classes first. */
export function factsOf(cls: Class): ClassFacts {
  const chain: ClassFacts[] = [];
  for (let at: unknown = cls.prototype; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    const facts = own.get(at);
    if (facts) chain.unshift(facts);
  }
  const merged = emptyFacts();
  for (const facts of chain) {
    for (const [name, field] of facts.fields) merged.fields.set(name, { ...merged.fields.get(name), ...field });
    for (const name of facts.ignored) merged.ignored.add(name);
    for (const [name, route] of facts.elsewhere) merged.elsewhere.set(name, route);
    merged.rules.push(...facts.rules);
    merged.closed ||= facts.closed;
    merged.open ||= facts.open;
    merged.absentCode = facts.absentCode ?? merged.absentCode;
    merged.description = facts.description ?? merged.description;
  }
  return merged;
}
