import type { JsonSchema } from '../schema/json-schema-of';

type Schemas = Record<string, JsonSchema>;

interface ObjectSchema extends JsonSchema {
  readonly properties: Schemas;
  readonly required?: readonly string[];
}

/** Whether an object schema neither refuses nor defines additional fields, so that each part of an `allOf` can be validated independently. */
const isExtensible = (schema: JsonSchema | undefined): schema is ObjectSchema =>
  schema?.type === 'object' && 'properties' in schema && !('additionalProperties' in schema);

const worthwhile = 100;

const requires = ({ required = [] }: ObjectSchema, name: string): boolean => required.includes(name);

/** The fields of `base` that are the same in `schema`, and required in both or in neither. */
const commonFields = (schema: ObjectSchema, base: ObjectSchema): [string, JsonSchema][] =>
  Object.entries(base.properties).filter(
    ([name, one]) =>
      JSON.stringify(schema.properties[name]) === JSON.stringify(one) &&
      requires(schema, name) === requires(base, name),
  );

/** Whether every value of `schema` is also valid for `base`, because it has the same fields and additional ones. */
const extendsIt = (schema: ObjectSchema, base: ObjectSchema): boolean =>
  Object.keys(base.properties).length < Object.keys(schema.properties).length &&
  commonFields(schema, base).length === Object.keys(base.properties).length;

/** The schema without the fields of `base`. */
function without({ properties, required = [], ...schema }: ObjectSchema, { properties: known }: ObjectSchema) {
  const own = Object.entries(properties).filter(([name]) => !(name in known));
  const needed = required.filter((name) => own.some(([field]) => field === name));
  return { ...schema, properties: Object.fromEntries(own), ...(needed.length > 0 && { required: needed }) };
}

/** Expresses a schema as those that it extends, the largest first, plus its other fields; undefined if it extends none. */
function extended(schema: ObjectSchema, bySize: readonly (readonly [string, ObjectSchema])[]): JsonSchema | undefined {
  const bases: string[] = [];
  let rest = schema;
  for (const [name, base] of bySize) {
    // A second class would have fields in common by chance.
    if (!extendsIt(rest, base) || (bases.length > 0 && !(name in commonParts))) continue;
    bases.push(name);
    rest = without(rest, base);
  }
  if (bases.length === 0) return undefined;
  // The bases have the type.
  const { description, type: _type, ...own } = rest;
  return { description, allOf: [...bases.map((name) => ({ $ref: `#/components/schemas/${name}` })), own] };
}

/** A component with the fields that two objects have in common, if neither has all fields of the other. Others may have them too. */
export const commonParts: Readonly<
  Record<string, { readonly of: readonly [string, string]; readonly description: string }>
> = {
  Workspace: { of: ['NumberVerify', 'CampaignCreate'], description: 'The organization and the project of a request.' },
  RecordData: {
    of: ['GatewayTokenRecord', 'VerificationRecord'],
    description: 'The organization of a record, and when it was created.',
  },
  OrganizationData: {
    of: ['ConnectionRecord', 'SipTrunkRecord'],
    description: 'What records of an organization have.',
  },
  ProjectData: { of: ['NumberRecord', 'AgentSummary'], description: 'What records of a project have.' },
  CallBase: { of: ['CallSummary', 'CallData'], description: 'What a call has in lists, events and reads.' },
  CampaignBase: { of: ['CampaignCreate', 'CampaignUpdate'], description: 'What can be set of a campaign.' },
  KeyData: {
    of: ['ApiKeyRecord', 'GatewayTokenRecord'],
    description: 'What reads of keys and gateway tokens have.',
  },
  PromptData: { of: ['AgentUpdate', 'AgentVoiceStackUpdate'], description: 'What an agent says and may use.' },
  NumberData: { of: ['NumberRecord', 'NumberRule'], description: 'A number, and which agent answers it.' },
  CallPart: { of: ['TranscriptRecord', 'CallCommandRecord'], description: 'Of which call it is, and since when.' },
  PageData: { of: ['AgentViewPage', 'MessageRecordPage'], description: 'What pages of lists have.' },
  MessageBase: { of: ['MessageCreate', 'TemplateMessageCreate'], description: 'What can be set of a message.' },
};

function partsOf(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(commonParts).flatMap(([name, { of, description }]) => {
      const [schema, base] = of.map((one) => schemas[one]);
      if (!isExtensible(schema) || !isExtensible(base)) return [];
      const common = commonFields(schema, base);
      const required = common.map(([field]) => field).filter((field) => requires(base, field));
      const properties = Object.fromEntries(common);
      return [[name, { type: 'object', description, properties, ...(required.length > 0 && { required }) }]];
    }),
  );
}

/** Expresses an object that has all fields of other objects as these objects plus the remaining fields, for example a key with its token. */
export function sharingForms(written: Schemas): Schemas {
  // First, so that a part is preferred to a class with the same fields.
  const schemas = { ...partsOf(written), ...written };
  const objects = Object.entries(schemas).filter((entry): entry is [string, ObjectSchema] => isExtensible(entry[1]));
  const sizes = new Map(objects.map(([name, { properties }]) => [name, JSON.stringify(properties).length]));
  const bySize = objects
    .filter(([name]) => name in commonParts || (sizes.get(name) ?? 0) > worthwhile)
    .sort(([one], [other]) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      (isExtensible(schema) ? extended(schema, bySize) : undefined) ?? schema,
    ]),
  );
}
