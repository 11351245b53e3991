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
    // Must not return a value, because TypeScript would use it as a property descriptor.
    change(ownField(prototype, String(name)));
  };

/** The field must be present. Null is refused unless the field also has `@Nullable()`. */
export const Required = (): PropertyDecorator => field((facts) => (facts.presence = 'required'));

/** The field may be absent, but null is refused (class-validator's `@IsOptional` would accept null). */
export const Optional = (): PropertyDecorator => field((facts) => (facts.presence = 'optional'));

/** Null is a separate value, distinct from absent. */
export const Nullable = (): PropertyDecorator => field((facts) => (facts.nullable = true));

/** Refuses null for these fields of a base class. */
export const RefusesNull =
  (...names: readonly string[]): ClassDecorator =>
  (cls) => {
    for (const name of names) ownField(cls.prototype as object, name).nullable = false;
  };

/** The field occurs only in responses: it is accepted and ignored in writes, and `readOnly` in the schema. */
export const ReadOnly = (): PropertyDecorator => field((facts) => (facts.readOnly = true));

/** The field is accepted, stored and returned, but has no effect. It is `deprecated` in the schema. */
export const Deprecated = (): PropertyDecorator => field((facts) => (facts.deprecated = true));

/** The field contains a secret. REST may return it, but results of MCP tools never contain it. */
export const Secret = (kind: SecretKind = 'leave-out'): PropertyDecorator => field((facts) => (facts.secret = kind));

/** The documented default, which `resolve` applies if nothing is stored. In bodies an absent field stays absent; in queries the default is filled in. */
export const Default = (value: unknown): PropertyDecorator => field((facts) => (facts.default = value));

/** A default that the platform applies but may change, so the schema does not state it. */
export const AppliedDefault = (value: unknown): PropertyDecorator => field((facts) => (facts.appliedDefault = value));

/** A sentence for the generated documents. */
export const Describe = (description: string): PropertyDecorator => field((facts) => (facts.description = description));

/** A value for the documents and for tests of all routes. Needed if the field's rules do not imply a value, or if a body without it would make no sense. */
export const Example = (value: unknown): PropertyDecorator => field((facts) => (facts.example = value));

/** An object of one class, or of one of several classes distinguished by a property. Arrays are refused (class-validator's `@ValidateNested` accepts them). */
export const Nested = (shape: NestedFacts['shape'], options: { orText?: TextBounds } = {}): PropertyDecorator =>
  field((facts) => (facts.nested = { shape, each: false, ...options }));

/** A list of such objects. The length of the list is limited by separate decorators (`@ArrayMaxSize`). */
export const ListOf = (shape: NestedFacts['shape'], options: { orText?: TextBounds } = {}): PropertyDecorator =>
  field((facts) => (facts.nested = { shape, each: true, ...options }));

/** The field is also accepted in the form in which a read returns it, so that clients can send back what they have read (docs/reference/requests.md). */
export const AsRead = (form: ReadForm): PropertyDecorator => field((facts) => (facts.readForm = form));

/**
 * An absolute URL without credentials: https for `http`, wss for `websocket`. The unencrypted schemes are accepted only in development (`insecureUrls` of
 * `validate`). Whether the address may be used is checked when connecting.
 */
export const Address = (kind: 'http' | 'websocket'): PropertyDecorator => field((facts) => (facts.url = kind));

/**
 * Whether the schema has `additionalProperties: false`, and unknown names are refused even with the option `unknown: 'ignore'`. A test requires the decision
 * for every class within a body. `@Closed(false)` is for classes to which a later release may add fields in responses.
 */
export const Closed =
  (closed = true): ClassDecorator =>
  (cls) => {
    ownFacts(cls.prototype as object).closed = closed;
  };

/** A free-form object with a few known names; other names are kept unchanged. */
export const Open = (): ClassDecorator => (cls) => {
  ownFacts(cls.prototype as object).open = true;
};

/** Names of read-only fields of the same resource, which clients may send back as they have read them. */
export const Ignores =
  (...names: readonly string[]): ClassDecorator =>
  (cls) => {
    for (const name of names) ownFacts(cls.prototype as object).ignored.add(name);
  };

/**
 * Names of fields that belong to another route: they are refused with 400 naming that route (docs/reference/agents.md#update). Fields that the class declares
 * itself are excluded.
 */
export const BelongsElsewhere =
  (route: string, names: readonly string[]): ClassDecorator =>
  (cls) => {
    for (const name of names) ownFacts(cls.prototype as object).elsewhere.set(name, route);
  };

/** A rule over several fields, checked after the rules of each field. The message begins with the invalid field. */
export const Rule =
  <T extends object>(rule: (value: T) => string | undefined) =>
  (cls: new () => T): void => {
    ownFacts(cls.prototype as object).rules.push(rule);
  };

/** The error code if the object is null, is empty or lacks a required field; without it, the code is BadRequestError. */
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
