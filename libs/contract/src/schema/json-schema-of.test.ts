import { Agent } from '../objects/agent';
import { AgentEndpoint } from '../objects/agent-endpoint';
import { AgentUpdate } from '../objects/agent-update';
import { AgentVoiceStackUpdate } from '../objects/agent-voice-stack-update';
import { AgentNavigation } from '../objects/navigation';
import { ListQuery } from '../objects/page';
import { allRoutes } from '../routes';
import { factsOf, type Class } from '../rules/class-facts';
import { planOf } from '../rules/plan';
import { jsonSchemaOf, jsonSchemasOf, standaloneJsonSchemaOf, type JsonSchema } from './json-schema-of';

const propertiesOf = (cls: new () => object): Record<string, JsonSchema> =>
  jsonSchemaOf(cls)['properties'] as Record<string, JsonSchema>;

const bodies = allRoutes.flatMap(({ body }) => (body ? [body] : []));
const schemas = jsonSchemasOf(bodies);

it('the schema contains required fields, enums, bounds and defaults', () => {
  expect(jsonSchemaOf(Agent)['required']).toEqual(['organization_id', 'project_id', 'mode']);
  expect(propertiesOf(Agent)['mode']).toMatchObject({
    type: 'string',
    enum: ['hosted', 'external_audio', 'external_text'],
  });
  expect(propertiesOf(Agent)['languages']).toMatchObject({
    type: 'array',
    minItems: 1,
    maxItems: 32,
    items: { type: 'string', minLength: 2, maxLength: 35 },
  });
  expect(propertiesOf(ListQuery)['limit']).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
  expect(propertiesOf(AgentEndpoint)['webhook_url']).toMatchObject({ type: 'string', format: 'uri' });
});

it('unions become oneOf, and classes become references', () => {
  const { voice, tools } = propertiesOf(AgentUpdate);
  expect(voice?.['anyOf']).toEqual([
    { oneOf: [{ type: 'string', minLength: 1, maxLength: 512 }, { $ref: '#/components/schemas/AgentVoice' }] },
    { type: 'null' },
  ]);
  expect(tools?.['items']).toEqual({
    oneOf: [
      expect.objectContaining({ type: 'string' }),
      {
        type: 'object',
        oneOf: ['BuiltinTool', 'WebhookTool', 'ConnectionTool'].map((name) => ({
          $ref: `#/components/schemas/${name}`,
        })),
        discriminator: {
          propertyName: 'type',
          mapping: {
            builtin: '#/components/schemas/BuiltinTool',
            webhook: '#/components/schemas/WebhookTool',
            connection: '#/components/schemas/ConnectionTool',
          },
        },
      },
    ],
  });
});

it('null is in the schema of nullable fields only', () => {
  expect(propertiesOf(AgentNavigation)['enabled']).toMatchObject({ type: ['boolean', 'null'] });
  expect(propertiesOf(AgentVoiceStackUpdate)['opening']).toMatchObject({
    anyOf: [{ $ref: '#/components/schemas/AgentOpening' }, { type: 'null' }],
  });
  expect(JSON.stringify(jsonSchemaOf(Agent))).not.toContain('"null"');
});

it('read-only fields are not in the body schema, which allows additional properties', () => {
  expect(propertiesOf(AgentUpdate)).not.toHaveProperty('created_at');
  expect(jsonSchemaOf(AgentUpdate)).not.toHaveProperty('additionalProperties');
});

it('free-form objects have additionalProperties: true', () => {
  expect(propertiesOf(AgentUpdate)['metadata']).toMatchObject({ type: 'object', additionalProperties: true });
});

it('a field has the description of its class, or the common one for its name', () => {
  expect(propertiesOf(AgentUpdate)['status']?.['description']).toMatch(/operator/);
  expect(propertiesOf(ListQuery)['limit']?.['description']).toMatch(/ Default: 20\.$/);
});

it('a class does not have the description of its base class', () => {
  class Renamed extends AgentUpdate {}
  expect(jsonSchemaOf(AgentUpdate)['description']).not.toBe('');
  expect(jsonSchemaOf(Renamed)['description']).toBe('');
});

/** The classes of the fields that a body accepts, at any depth. */
function within(cls: Class, found = new Set<Class>()): Set<Class> {
  for (const { facts } of planOf(cls).fields) {
    if (facts.nested === undefined || facts.readOnly === true) continue;
    const { shape } = facts.nested;
    for (const of of typeof shape === 'function' ? [shape] : Object.values(shape.classes)) {
      if (found.has(of())) continue;
      found.add(of());
      within(of(), found);
    }
  }
  return found;
}

const nested = [...new Set(bodies.flatMap((body) => [...within(body)]))].filter((cls) => !bodies.includes(cls));

it('every class within a body declares with @Closed or @Open whether it has additional properties', () => {
  expect(nested.length).toBeGreaterThan(60);
  const undecided = nested.filter((cls) => factsOf(cls).closed === undefined && !factsOf(cls).open);
  expect(undecided.map(({ name }) => name)).toEqual([]);
});

it('additionalProperties is false for closed classes, true for open ones, and absent for all others', () => {
  for (const cls of [...nested, ...bodies]) {
    const { closed, open } = factsOf(cls);
    expect([cls.name, jsonSchemaOf(cls)['additionalProperties']]).toEqual([
      cls.name,
      open ? true : closed === true ? false : undefined,
    ]);
  }
  expect(schemas['AgentOpening']).toHaveProperty('additionalProperties', false);
  expect(schemas['AgentMetadata']).toHaveProperty('additionalProperties', true);
  expect(schemas['AgentVoice']).not.toHaveProperty('additionalProperties');
});

it('every reference points to an existing schema', () => {
  const references = [...JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    (match) => match[1] ?? '',
  );
  expect(references.length).toBeGreaterThan(10);
  expect(references.filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
});

it.each(bodies.map((cls) => [cls.name, cls] as const))(
  '%s: every declared field is in its schema, and every pattern is a valid regular expression',
  (_, cls) => {
    const properties = propertiesOf(cls);
    for (const field of planOf(cls).fields) expect(Object.keys(properties[field.name] ?? {})).not.toEqual([]);
    for (const match of JSON.stringify(standaloneJsonSchemaOf(cls)).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)) {
      expect(() => new RegExp(JSON.parse(match[1] ?? '""') as string, 'u')).not.toThrow();
    }
  },
);

it('a standalone schema contains only references within itself', () => {
  const text = JSON.stringify(standaloneJsonSchemaOf(AgentVoiceStackUpdate));
  expect(text).toContain('#/$defs/AgentNavigation');
  expect(text).not.toContain('#/components');
});
