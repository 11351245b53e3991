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

/** The name of the schema of `data`. It is the resource's own schema if everyone who receives the event gets the complete resource. */
export const dataName = (type: EventType): string => {
  const { name } = dataClassOf(type);
  return eventDeclarations[type].access.whole === null ? name : `${name.replace(/Record$/, '')}EventData`;
};

/** The schema of a resource in events: fields that some receivers do not get are not required. */
function dataSchemaOf(cls: Class): JsonSchema {
  const { description, required, ...schema } = jsonSchemaOf(cls) as JsonSchema & {
    description: string;
    required: string[];
  };
  return {
    ...schema,
    description: `${description} Without the scope to read it whole: no ${withheldEventFields.join(', ')}.`,
    required: required.filter((name) => !withheldEventFields.includes(name)),
  };
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
      .map((type) => [dataName(type), dataSchemaOf(dataClassOf(type))]),
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

/** Expresses a record as the schema of its data in events plus the fields that are omitted there, because these are the largest schemas. */
export function sharingEventData(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const shown = schemas[`${name.replace(/Record$/, '')}EventData`];
      if (!name.endsWith('Record') || shown === undefined) return [name, schema];
      const properties = schema.properties as Record<string, JsonSchema>;
      const withheld = (schema.required as string[]).filter((field) => !(shown.required as string[]).includes(field));
      return [
        name,
        {
          description: schema.description,
          allOf: [
            ref(`${name.replace(/Record$/, '')}EventData`),
            {
              properties: Object.fromEntries(withheld.map((field) => [field, properties[field]])),
              required: withheld,
            },
          ],
        },
      ];
    }),
  );
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
