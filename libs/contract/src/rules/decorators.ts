import type { ErrorCode } from '@parley/errors';
import {
  ownFacts,
  ownField,
  type ClassOf,
  type FieldFacts,
  type NestedFacts,
  type ReadForm,
  type SecretKind,
  type TextBounds,
} from './class-facts';

const field =
  (change: (facts: FieldFacts) => void): PropertyDecorator =>
  (prototype, name) => {
    // Must not return a value: TypeScript would take it for a property descriptor.
    change(ownField(prototype, String(name)));
  };

/** The field must be present. Null is refused unless the field also has `@Nullable()`. */
export const Required = (): PropertyDecorator => field((facts) => (facts.presence = 'required'));

/** The field may be absent. Absent only: null is refused (class-validator's `@IsOptional` would let it through). */
export const Optional = (): PropertyDecorator => field((facts) => (facts.presence = 'optional'));

/** Null is a value of its own, distinct from absent. */
export const Nullable = (): PropertyDecorator => field((facts) => (facts.nullable = true));

/** Excludes null for these fields of a base class. */
export const RefusesNull =
  (...names: readonly string[]): ClassDecorator =>
  (cls) => {
    for (const name of names) ownField(cls.prototype as object, name).nullable = false;
  };

/** Only part of responses: accepted and ignored on write, `readOnly` in the schema. */
export const ReadOnly = (): PropertyDecorator => field((facts) => (facts.readOnly = true));

/** Accepted, stored and returned, not applied. `deprecated` in the schema. */
export const Deprecated = (): PropertyDecorator => field((facts) => (facts.deprecated = true));

/** The field contains a secret, which REST may return but the result of an MCP tool never contains. */
export const Secret = (kind: SecretKind = 'leave-out'): PropertyDecorator => field((facts) => (facts.secret = kind));

/**
 * The documented default: what `resolve` applies where nothing is stored. Bodies keep the difference between absent and default; query
 * parameters are filled in.
 */
export const Default = (value: unknown): PropertyDecorator => field((facts) => (facts.default = value));

/** A default that the platform applies without guaranteeing it: it may change, so the schema does not state it. */
export const AppliedDefault = (value: unknown): PropertyDecorator => field((facts) => (facts.appliedDefault = value));

/** A sentence for the generated documents. */
export const Describe = (description: string): PropertyDecorator => field((facts) => (facts.description = description));

/** A value for the documents and for tests over every route, if the rules alone do not yield one or a body without it would be meaningless. */
export const Example = (value: unknown): PropertyDecorator => field((facts) => (facts.example = value));

/** An object of one class, or of one of several distinguished by a property. An array is refused (class-validator's `@ValidateNested` accepts one). */
export const Nested = (shape: NestedFacts['shape'], options: { orText?: TextBounds } = {}): PropertyDecorator =>
  field((facts) => (facts.nested = { shape, each: false, ...options }));

/** A list of such objects. Bounds of the list are separate decorators (`@ArrayMaxSize`). */
export const ListOf = (shape: NestedFacts['shape'], options: { orText?: TextBounds } = {}): PropertyDecorator =>
  field((facts) => (facts.nested = { shape, each: true, ...options }));

/** The form in which a read returns the field is accepted too, so that clients can send back what they read (docs/reference/requests.md). */
export const AsRead = (form: ReadForm): PropertyDecorator => field((facts) => (facts.readForm = form));

/**
 * An absolute address without credentials in it. `http`: https; `websocket`: wss. The unencrypted schemes are accepted only where
 * the development profile allows them (`insecureUrls` of `validate`). Whether an address may be reached is judged at connect.
 */
export const Address = (kind: 'http' | 'websocket'): PropertyDecorator => field((facts) => (facts.url = kind));

/** "No extra properties": every unknown name is refused, and the schema has `additionalProperties: false`. */
export const Closed = (): ClassDecorator => (cls) => {
  ownFacts(cls.prototype as object).closed = true;
};

/** A free-form object with a few known names: other names are kept unchanged. */
export const Open = (): ClassDecorator => (cls) => {
  ownFacts(cls.prototype as object).open = true;
};

/** Read-only names of the same resource, which a client may send back as read. */
export const Ignores =
  (...names: readonly string[]): ClassDecorator =>
  (cls) => {
    for (const name of names) ownFacts(cls.prototype as object).ignored.add(name);
  };

/** Names that belong to another route: 400 naming that route (docs/reference/agents.md#update). Names that the class declares itself are excluded. */
export const BelongsElsewhere =
  (route: string, names: readonly string[]): ClassDecorator =>
  (cls) => {
    for (const name of names) ownFacts(cls.prototype as object).elsewhere.set(name, route);
  };

/** A rule over several fields, run after the rules of each field. The message begins with the invalid field. */
export const Rule =
  <T extends object>(rule: (value: T) => string | undefined) =>
  (cls: new () => T): void => {
    ownFacts(cls.prototype as object).rules.push(rule);
  };

/** The error code if the object is null, empty or lacks a required field, instead of BadRequestError. */
export const AbsentCode =
  (code: ErrorCode): ClassDecorator =>
  (cls) => {
    ownFacts(cls.prototype as object).absentCode = code;
  };

/** A sentence about the whole object for the generated documents. */
export const DescribeObject =
  (description: string): ClassDecorator =>
  (cls) => {
    ownFacts(cls.prototype as object).description = description;
  };

export type { ClassOf };
