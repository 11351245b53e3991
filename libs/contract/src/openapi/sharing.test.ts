import { allRoutes } from '../routes';
import type { Class } from '../rules/class-facts';
import { jsonSchemasOf, type JsonSchema } from '../schema/json-schema-of';
import { inlined, usedOnce } from './inline';
import { sharingFields } from './shared-fields';
import { commonParts, sharingForms } from './shared-forms';

type Schemas = Record<string, JsonSchema>;

const classes = allRoutes.flatMap(({ body, answer }): Class[] => [
  ...(body ? [body] : []),
  ...(answer.media === 'application/json' ? [answer.class] : []),
]);
const written = jsonSchemasOf(classes);
const shared = sharingForms(sharingFields(written));
const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const nameOf = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice('#/components/schemas/'.length) : undefined;

/** A schema in which shared components are inlined and `allOf` is merged into one object. */
function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expanded);
  if (!isObject(value)) return value;
  const name = nameOf(value);
  if (name !== undefined && name in shared && !(name in written)) return expanded(shared[name]);
  const { allOf, ...rest } = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expanded(inner)]));
  if (!Array.isArray(allOf)) return rest;
  // A part that is not a class has already been expanded.
  const parts = (allOf as JsonSchema[]).map((part) => {
    const of = nameOf(part);
    return of === undefined || !(of in shared) ? part : (expanded(shared[of]) as JsonSchema);
  });
  if (!parts.every((part) => 'properties' in part)) return { ...rest, allOf };
  return {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Schemas,
    required: parts.flatMap(({ required }) => (required as string[] | undefined) ?? []),
  };
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
    key,
    key === 'required' && Array.isArray(inner) ? [...(inner as string[])].sort() : sorted(inner),
  ]);
  return Object.fromEntries(entries.filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0)));
};

describe('shared components of the OpenAPI document', () => {
  it('keep the meaning of every class schema', () => {
    const changed = Object.keys(written).filter(
      (name) => JSON.stringify(shared[name]) !== JSON.stringify(written[name]),
    );
    expect(changed.length).toBeGreaterThan(100);
    for (const name of Object.keys(written)) expect(sorted(expanded(shared[name]))).toEqual(sorted(written[name]));
  });

  it('are named like the field that they define, and have a description', () => {
    const fields = Object.entries(shared).filter(([name]) => !(name in written) && !(name in commonParts));
    expect(fields.length).toBeGreaterThan(30);
    for (const [name, { description }] of fields) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(description).toEqual(expect.stringMatching(/\S/));
    }
  });

  it('do not extend an object with additionalProperties: false, because allOf would refuse the added fields', () => {
    const closed = {
      type: 'object',
      properties: { a: { type: 'string', description: 'x'.repeat(400) } },
      additionalProperties: false,
    };
    const wider = { ...closed, properties: { ...closed.properties, b: { type: 'string' } } };
    expect(sharingForms({ Closed: closed, Wider: wider })).toEqual({ Closed: closed, Wider: wider });
  });

  it('are inlined if they are used only once', () => {
    const document = {
      one: { $ref: '#/components/examples/A' },
      two: [{ $ref: '#/components/examples/B' }, { $ref: '#/components/examples/B' }],
    };
    const once = usedOnce('examples', { A: { value: 1 }, B: { value: 2 } }, document);
    expect(inlined(document, once)).toEqual({ ...document, one: { value: 1 } });
  });
});
