import type { ErrorCode } from '@parley/errors';

/** A class of the contract. It is constructed without arguments, and decorators declare its fields. */
export type Class<T extends object = object> = new () => T;

export type ClassOf = () => Class;

/** Bounds of a string in Unicode code points, which JSON Schema counts too. */
export interface TextBounds {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** The description of the pattern, used in the message "must be <description>". */
  readonly description?: string;
  /** Whether the length is checked after collapsing white space and trimming both ends. */
  readonly collapsed?: boolean;
  /** Whether the length is checked after trimming both ends. */
  readonly trimmed?: boolean;
  /** Returns why a text that fits is not allowed, as the end of a sentence; undefined if it is allowed. */
  readonly refusal?: (text: string) => string | undefined;
}

/** The type of an object field's values. */
export interface NestedFacts {
  /** One class, or several classes distinguished by the value of one property. */
  readonly shape: ClassOf | { readonly property: string; readonly classes: Readonly<Record<string, ClassOf>> };
  /** Whether the field is a list of such values. */
  readonly each: boolean;
  /** If set, a plain string within these bounds is accepted too. */
  readonly orText?: TextBounds;
}

/** The form of a field in reads, if it differs from the form in writes. */
export interface ReadForm {
  /** The class of the read form, for the schema. */
  readonly of: ClassOf;
  /** Whether an object has that form. */
  readonly is: (value: Readonly<Record<string, unknown>>) => boolean;
  /** The part of the read form that a write uses. If it is undefined, a write in the read form does not change the stored field. */
  readonly part?: string;
}

/**
 * How the result of an MCP tool is kept free of a secret in a field: the field is omitted; the values of its object are masked; or the headers of all webhook
 * tools inside it are masked.
 */
export type SecretKind = 'leave-out' | 'mask-values' | 'mask-tool-headers';

/** What this library's decorators declare about a field, in addition to the rules stored by class-validator. */
export interface FieldFacts {
  presence?: 'required' | 'optional';
  nullable?: boolean;
  readOnly?: boolean;
  deprecated?: boolean;
  secret?: SecretKind;
  /** A default that is documented, but only filled in by the query parser: an absent body field must stay absent. */
  default?: unknown;
  /** A default that the platform applies although the schema does not state it. */
  appliedDefault?: unknown;
  nested?: NestedFacts;
  readForm?: ReadForm;
  url?: 'http' | 'websocket';
  description?: string;
  example?: unknown;
}

/** A rule over several fields of an object. Returns the error as `<field> <what is wrong>`, or undefined. */
export type ObjectRule = (value: never) => string | undefined;

export interface ClassFacts {
  readonly fields: Map<string, FieldFacts>;
  /** Undefined if the class does not declare it, which means that it is not closed. */
  closed?: boolean;
  /** Whether unknown names are kept unchanged (for free-form objects with a few known names). */
  open: boolean;
  /** Names of read-only fields of the same resource: accepted and ignored in writes. */
  ignored: Set<string>;
  /** Names of fields that belong to another route, mapped to that route. */
  elsewhere: Map<string, string>;
  rules: ObjectRule[];
  /** The error code if the object is null, is empty or lacks a required field. */
  absentCode?: ErrorCode;
  /** Only of the class itself: what a base class means is not what its subclass means. */
  description?: string;
}

const own = new WeakMap<object, ClassFacts>();

const emptyFacts = (): ClassFacts => ({
  fields: new Map(),
  open: false,
  ignored: new Set(),
  elsewhere: new Map(),
  rules: [],
});

/** The facts declared on this prototype itself, without base classes; decorators create them on first use. */
export function ownFacts(prototype: object): ClassFacts {
  let facts = own.get(prototype);
  if (!facts) own.set(prototype, (facts = emptyFacts()));
  return facts;
}

/** The facts of one field declared on this prototype itself. */
export function ownField(prototype: object, name: string): FieldFacts {
  const { fields } = ownFacts(prototype);
  let field = fields.get(name);
  if (!field) fields.set(name, (field = {}));
  return field;
}

/** All facts of a class, starting with those of its base classes. */
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
    merged.closed = facts.closed ?? merged.closed;
    merged.open ||= facts.open;
    merged.absentCode = facts.absentCode ?? merged.absentCode;
  }
  merged.description = own.get(cls.prototype as object)?.description;
  return merged;
}
