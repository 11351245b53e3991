import type { Class, NestedFacts, TextBounds } from '../rules/class-facts';
import type { EntryBounds } from '../rules/constraints';
import { planOf, type PlannedField, type PlannedRule } from '../rules/plan';
import { descriptionOf, descriptionOfClass } from './descriptions';
import { shapes } from './shapes';

export type JsonSchema = Record<string, unknown>;

/** Which descriptions a schema contains. `own`: only those that a class has for its own fields, to save tokens of models; `none`: no descriptions. */
export type Wording = 'whole' | 'own' | 'none';

/** The JSON Schema (2020-12) of a class. Nested classes are `$ref`s to `#/components/schemas/<name>`. */
export function jsonSchemaOf(cls: Class, wording: Wording = 'whole'): JsonSchema {
  const { facts, fields } = planOf(cls);
  const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(cls, field, wording)]));
  const required = fields.filter((field) => field.facts.presence === 'required').map((field) => field.name);
  return {
    type: 'object',
    ...(wording === 'whole' ? { description: descriptionOfClass(cls, facts) } : {}),
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(facts.closed ? { additionalProperties: false } : {}),
    ...(facts.open ? { additionalProperties: true } : {}),
  };
}

/** A self-contained JSON Schema, with nested classes under `$defs`, for example the input schema of an MCP tool. */
export function standaloneJsonSchemaOf(cls: Class, wording: Wording = 'own'): JsonSchema {
  const schemas = jsonSchemasOf([cls], wording);
  const own = schemas[cls.name] ?? {};
  const defs = Object.fromEntries(Object.entries(schemas).filter(([name]) => name !== cls.name));
  const text = JSON.stringify({ ...own, ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }) });
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as JsonSchema;
}

/** The schemas of classes and of all nested classes, by class name. */
export function jsonSchemasOf(classes: Iterable<Class>, wording: Wording = 'whole'): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const visit = (cls: Class): void => {
    if (Object.hasOwn(schemas, cls.name)) return;
    schemas[cls.name] = jsonSchemaOf(cls, wording);
    for (const { facts } of planOf(cls).fields) {
      if (facts.nested) classesIn(facts.nested).forEach(visit);
      if (facts.readForm) visit(facts.readForm.of());
    }
  };
  for (const cls of classes) visit(cls);
  return schemas;
}

function classesIn({ shape }: NestedFacts): Class[] {
  return typeof shape === 'function' ? [shape()] : Object.values(shape.classes).map((of) => of());
}

function fieldSchema(cls: Class, field: PlannedField, wording: Wording): JsonSchema {
  const { facts, rules, name } = field;
  let schema: JsonSchema = {};
  const items: JsonSchema = {};
  for (const rule of rules) Object.assign(rule.each ? items : schema, ruleSchema(rule));
  if (facts.url) Object.assign(schema, { type: 'string', format: 'uri', maxLength: 2048 });
  if (facts.nested) {
    const nested = nestedSchema(facts.nested, wording);
    if (facts.nested.each) Object.assign(schema, { type: 'array', items: nested });
    else schema = rules.length === 0 ? nested : { allOf: [schema, nested] };
  } else if (Object.keys(items).length > 0) Object.assign(schema, { type: 'array', items });
  if (wording === 'whole') Object.assign(schema, shapes[`${cls.name}.${name}`] ?? {});
  if (isTime(field)) schema = { ...schema, format: 'date-time' };
  if (facts.readForm) schema = { anyOf: [schema, reference(facts.readForm.of())] };
  if (facts.nullable) schema = nullable(schema);
  return { ...schema, ...annotations(cls, field, wording) };
}

/** Timestamps in reads are plain strings without a rule, so they are recognized by their names. */
const isTime = ({ name, rules, facts }: PlannedField): boolean =>
  /(_at|^since)$/.test(name) &&
  facts.nested === undefined &&
  rules.some(
    (rule) => rule.name === 'text' && !rule.each && Object.keys(rule.constraints[0] as TextBounds).length === 0,
  );

function annotations(cls: Class, { name, facts }: PlannedField, wording: Wording): JsonSchema {
  const own = wording === 'own' ? facts.description : undefined;
  const description = wording === 'whole' ? descriptionOf(cls, name, facts) : own;
  return {
    ...(description === undefined ? {} : { description }),
    ...(facts.default === undefined ? {} : { default: facts.default }),
    ...(facts.example === undefined ? {} : { examples: [facts.example] }),
    ...(facts.deprecated ? { deprecated: true } : {}),
    ...(facts.readOnly ? { readOnly: true } : {}),
  };
}

function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {}),
  };
}

const reference = (cls: Class): JsonSchema => ({ $ref: `#/components/schemas/${cls.name}` });

function nestedSchema({ shape, orText }: NestedFacts, wording: Wording): JsonSchema {
  const choices: JsonSchema[] = orText ? [textSchema(orText)] : [];
  if (typeof shape === 'function') choices.push(reference(shape()));
  else if (wording === 'whole') choices.push(discriminated(shape));
  else choices.push(...Object.values(shape.classes).map((of) => reference(of())));
  return choices.length === 1 ? (choices[0] ?? {}) : { oneOf: choices };
}

/** The schema of one of several classes, with the property that distinguishes them. */
function discriminated({ property, classes }: Exclude<NestedFacts['shape'], () => Class>): JsonSchema {
  const mapping = Object.entries(classes).map(([value, of]) => [value, reference(of()).$ref] as const);
  return {
    type: 'object',
    oneOf: mapping.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: property, mapping: Object.fromEntries(mapping) },
  };
}

function textSchema({ min, max, pattern }: TextBounds): JsonSchema {
  return {
    type: 'string',
    ...(min === undefined || min === 0 ? {} : { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(pattern ? { pattern: pattern.source } : {}),
  };
}

/** The JSON Schema of each rule. A rule that is missing here is a defect of this file. */
function ruleSchema({ name, constraints }: PlannedRule): JsonSchema {
  const [first] = constraints;
  switch (name) {
    case 'text':
      return textSchema(first as TextBounds);
    case 'isInt':
      return { type: 'integer' };
    case 'isNumber':
      return { type: 'number' };
    case 'isBoolean':
      return { type: 'boolean' };
    case 'min':
      return { minimum: first };
    case 'max':
      return { maximum: first };
    case 'isIn':
      return { ...typeOfAll(first as unknown[]), enum: [...(first as unknown[])] };
    case 'equals':
      return { const: first };
    case 'isArray':
      return { type: 'array' };
    case 'arrayMinSize':
      return { minItems: first };
    case 'arrayMaxSize':
      return { maxItems: first };
    case 'arrayUnique':
      return { uniqueItems: true };
    case 'jsonObject':
      return { type: 'object', additionalProperties: true };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'cidr':
    case 'scope':
      return { type: 'string' };
    case 'scalar':
      return { type: ['string', 'number', 'boolean'] };
    case 'zeroOrRange': {
      const { min, max } = first as { min: number; max: number };
      return {
        anyOf: [
          { type: 'number', const: 0 },
          { type: 'number', minimum: min, maximum: max },
        ],
      };
    }
    case 'entries': {
      const { maxEntries, key, value } = first as EntryBounds;
      return {
        type: 'object',
        maxProperties: maxEntries,
        propertyNames: textSchema(key),
        additionalProperties: textSchema(value),
      };
    }
    default:
      throw new Error(`the rule ${name} has no JSON Schema`);
  }
}

function typeOfAll(values: readonly unknown[]): JsonSchema {
  return values.every((value) => typeof value === 'string') ? { type: 'string' } : {};
}
