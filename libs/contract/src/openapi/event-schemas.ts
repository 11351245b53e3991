import { eventDeclarations, eventTypes, withheldEventFields, type EventType } from '../events';
import { EventEnvelope } from '../objects/event';
import { dataClassOf } from '../objects/event-data';
import type { Class } from '../rules/class-facts';
import { jsonSchemaOf, jsonSchemasOf, type JsonSchema } from '../schema/json-schema-of';

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const pascal = (type: string): string =>
  type.replace(/(^|[._])(\w)/g, (_, _dot, letter: string) => letter.toUpperCase());

/** The schema name of an event type. */
export const eventSchemaName = (type: EventType): string => `${pascal(type)}Event`;

/** The name of the schema of a class in event data that some receivers get without some fields. */
const dataNameOf = (name: string): string => `${name.replace(/Record$/, '')}EventData`;

/** The name of the schema of `data`. It is the resource's own schema if everyone who receives the event gets the complete resource. */
export const dataName = (type: EventType): string => {
  const { name } = dataClassOf(type);
  return eventDeclarations[type].access.whole === null ? name : dataNameOf(name);
};

const refText = (name: string): string => `"#/components/schemas/${name}"`;

/** The names of the schemas that require withheld fields, or refer to schemas that do. */
function requiringWithheld(schemas: Record<string, JsonSchema>): ReadonlySet<string> {
  const found = new Set<string>();
  const requires = ({ required = [] }: { required?: unknown }): boolean =>
    (required as string[]).some((name) => withheldEventFields.includes(name));
  const refers = (schema: JsonSchema): boolean => {
    const text = JSON.stringify(schema);
    return [...found].some((name) => text.includes(refText(name)));
  };
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const [name, schema] of Object.entries(schemas)) if (requires(schema) || refers(schema)) found.add(name);
  }
  return found;
}

/** The schemas of a resource in events and of what is nested in it: fields that some receivers do not get are not required at any depth. */
function dataSchemasOf(cls: Class): Record<string, JsonSchema> {
  const schemas = jsonSchemasOf([cls]);
  const names = requiringWithheld(schemas);
  const redacted = ({ description, required = [], ...schema }: JsonSchema): JsonSchema => {
    const kept = JSON.stringify({
      ...schema,
      description: `${String(description)} Without the scope to read it whole: no ${withheldEventFields.join(', ')}.`,
      required: (required as string[]).filter((name) => !withheldEventFields.includes(name)),
    });
    const renamed = [...names].reduce((text, name) => text.replaceAll(refText(name), refText(dataNameOf(name))), kept);
    return JSON.parse(renamed) as JsonSchema;
  };
  return Object.fromEntries([...names].map((name) => [dataNameOf(name), redacted(schemas[name] ?? {})]));
}

const link: JsonSchema = {
  description: 'In place of a resource above 256 KiB, where it can be read; or that the resource was erased.',
  oneOf: [
    {
      type: 'object',
      properties: { url: { type: 'string', description: 'The path of the resource, such as /v1/calls/call_….' } },
      required: ['url'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { erased: { type: 'boolean', const: true, description: 'The resource was erased.' } },
      required: ['erased'],
      additionalProperties: false,
    },
  ],
};

/** The envelope without the parts that depend on the event type. */
function baseSchema(): JsonSchema {
  const { properties, required } = jsonSchemaOf(EventEnvelope) as {
    properties: Record<string, JsonSchema>;
    required: string[];
  };
  const { type: _type, data: _data, ...common } = properties;
  return {
    type: 'object',
    description: 'What all events have.',
    properties: common,
    required: required.filter((name) => name in common),
  };
}

/** The name of the schema that all events of one resource share. */
const baseName = (type: EventType): string => `${dataName(type).replace(/(?:EventData|Record)$/, '')}EventBase`;

/** The schema that all events of one resource share: the envelope, and `data` with the resource or a link to it. */
const resourceBase = (type: EventType): JsonSchema => ({
  description: 'What all events of one resource have.',
  allOf: [
    ref('EventBase'),
    {
      properties: {
        data: { oneOf: [ref(dataName(type)), ref('EventDataLink')], description: 'The resource, or a link to it.' },
      },
      required: ['data'],
    },
  ],
});

function eventSchema(type: EventType): JsonSchema {
  const { when, reserved } = eventDeclarations[type];
  return {
    description: reserved ? 'Reserved: this release does not publish it.' : `Published when ${when}.`,
    allOf: [
      ref(baseName(type)),
      { properties: { type: { const: type, description: 'The type.' } }, required: ['type'] },
    ],
  };
}

/** What the data of events can be other than the resource as a read shows it: the resource without some fields, or a link to it. */
export const eventDataSchemas = (): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    eventTypes
      .filter((type) => eventDeclarations[type].access.whole !== null)
      .flatMap((type) => Object.entries(dataSchemasOf(dataClassOf(type)))),
  ),
  EventDataLink: link,
});

/** The schemas of events: `Event`, one schema per event type, and those of their data. */
export function eventSchemas(): Record<string, JsonSchema> {
  const classes = [...new Set(eventTypes.map(dataClassOf))];
  return {
    // Includes the schemas nested in them.
    ...jsonSchemasOf(classes),
    EventBase: baseSchema(),
    ...Object.fromEntries(eventTypes.map((type) => [baseName(type), resourceBase(type)])),
    ...eventDataSchemas(),
    ...Object.fromEntries(eventTypes.map((type) => [eventSchemaName(type), eventSchema(type)])),
    Event: {
      description: 'Something that happened; `type` tells what. A client has to let pass types that it does not know.',
      oneOf: eventTypes.map((type) => ref(eventSchemaName(type))),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(eventTypes.map((type) => [type, `#/components/schemas/${eventSchemaName(type)}`])),
      },
    },
  };
}

/**
 * Expresses a record as the schema of its data in events plus the fields that are omitted there, because these are the largest schemas. Fields whose own
 * schemas differ are in neither: what both have is then a schema of its own.
 */
export function sharingEventData(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const shared = Object.entries(schemas).flatMap(([name, record]) => {
    const shown = schemas[dataNameOf(name)];
    return shown === undefined ? [] : Object.entries(sharedData(name, record, shown));
  });
  return { ...schemas, ...Object.fromEntries(shared) };
}

function sharedData(name: string, record: JsonSchema, shown: JsonSchema): Record<string, JsonSchema> {
  const fieldsOf = (schema: JsonSchema) => schema.properties as Record<string, JsonSchema>;
  const requiredOf = (schema: JsonSchema) => schema.required as string[];
  const differing = Object.keys(fieldsOf(record)).filter(
    (field) => JSON.stringify(fieldsOf(record)[field]) !== JSON.stringify(fieldsOf(shown)[field]),
  );
  const withheld = requiredOf(record).filter((field) => !requiredOf(shown).includes(field));
  const part = (of: JsonSchema, fields: readonly string[]): JsonSchema => ({
    properties: Object.fromEntries(fields.map((field) => [field, fieldsOf(of)[field]])),
    required: requiredOf(of).filter((field) => fields.includes(field)),
  });
  const extending = (base: string, of: JsonSchema, fields: readonly string[]): JsonSchema => ({
    description: of.description,
    allOf: [ref(base), part(of, fields)],
  });
  if (differing.length === 0) return { [name]: extending(dataNameOf(name), record, withheld) };
  const base = name.replace(/Record$/, 'Data');
  const common = Object.keys(fieldsOf(shown)).filter((field) => !differing.includes(field));
  return {
    [base]: { type: 'object', description: 'What it has in reads and in events.', ...part(shown, common) },
    [dataNameOf(name)]: extending(base, shown, differing),
    [name]: extending(base, record, [...withheld, ...differing]),
  };
}

/** The webhooks of agent endpoints, which are the same for all event types. */
export const eventWebhooks = (): Record<string, object> => ({
  event: {
    post: {
      operationId: 'onEvent',
      tags: ['events'],
      summary: 'Receive an event',
      description:
        'A delivery to an agent endpoint that subscribes to the type of the event; signed as Standard Webhooks have it.',
      security: [],
      parameters: ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
      requestBody: { required: true, content: { 'application/json': { schema: ref('Event') } } },
      responses: {
        '2XX': { $ref: '#/components/responses/received' },
        410: { $ref: '#/components/responses/gone' },
      },
    },
  },
});

const header = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The responses that a receiver can send. */
export const webhookResponses = {
  received: { description: 'The event has arrived; the body of the answer is read up to 64 KiB and kept up to 4 KiB.' },
  gone: { description: 'The endpoint is gone: it is parked.' },
};

/** The headers that Standard Webhooks defines. */
export const webhookParameters = {
  WebhookId: header('webhook-id', 'The event id; the same on every attempt.'),
  WebhookTimestamp: header('webhook-timestamp', 'Seconds since 1970, of the attempt.'),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,<base64>` for each live secret, separated by spaces, as Standard Webhooks have it.',
  ),
};
