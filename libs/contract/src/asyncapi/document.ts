import { eventDeclarations, eventTypes, withheldEventFields, type EventType } from '../events';
import { EventEnvelope } from '../objects/event';
import { dataClassOf } from '../objects/event-data';
import { dataName, eventDataSchemas } from '../openapi/event-schemas';
import { jsonSchemasOf, type JsonSchema } from '../schema/json-schema-of';
import { sampleOf } from '../schema/sample';
import { testCallDocument } from './test-call';

const messageName = (type: EventType): string => type.replaceAll('.', '_');

/** The headers of a webhook (Standard Webhooks). */
const deliveryHeaders: JsonSchema = {
  type: 'object',
  properties: {
    'webhook-id': { type: 'string', description: 'The event id; the same on every attempt.' },
    'webhook-timestamp': { type: 'string', description: 'Seconds since 1970, of the attempt.' },
    'webhook-signature': { type: 'string', description: '`v1,<base64>` for each live secret, separated by spaces.' },
    traceparent: { type: 'string', description: 'W3C trace context of the request that caused the event.' },
  },
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
};

const natsHeaders: JsonSchema = {
  type: 'object',
  properties: {
    'Nats-Msg-Id': { type: 'string', description: 'The event id.' },
    traceparent: { type: 'string', description: 'W3C trace context of the request that caused the event.' },
  },
  required: ['Nats-Msg-Id'],
};

/** @param dataOf the name of the schema of the resource as this receiver gets it */
function message(type: EventType, headers: JsonSchema, dataOf: (type: EventType) => string): Record<string, unknown> {
  const { when, reserved, access } = eventDeclarations[type];
  const { read, subscribe, whole } = access;
  return {
    name: type,
    title: type,
    summary: subscribe === null ? `The event ${type}` : `The event ${type}; a subscription needs \`${subscribe}\``,
    description:
      (reserved ? 'Reserved: this release does not publish it.' : `Published when ${when}.`) +
      ` The event log shows it to keys with \`${read}\`.` +
      (whole === null
        ? ''
        : ` Without \`${whole}\` the payload has no ${withheldEventFields.slice(0, -1).join(', ')} or ${withheldEventFields.at(-1)}.`),
    contentType: 'application/json',
    headers,
    examples: [{ name: type, payload: { ...sampleOf(EventEnvelope), type, data: sampleOf(dataClassOf(type), true) } }],
    payload: {
      allOf: [
        { $ref: '#/components/schemas/EventEnvelope' },
        {
          type: 'object',
          properties: {
            type: { const: type },
            data: { oneOf: [dataOf(type), 'EventDataLink'].map((name) => ({ $ref: `#/components/schemas/${name}` })) },
          },
        },
      ],
    },
  };
}

/** The AsyncAPI 3 document, which describes the event types as JetStream subjects and as webhook deliveries, and the messages of test calls. */
export function asyncApiDocument(): Record<string, unknown> {
  const channels: Record<string, unknown> = {};
  const operations: Record<string, unknown> = {};
  const messages: Record<string, unknown> = {};
  for (const type of eventTypes) {
    const name = messageName(type);
    messages[name] = message(type, natsHeaders, (of) => dataClassOf(of).name);
    messages[`${name}_delivery`] = message(type, deliveryHeaders, dataName);
    channels[name] = {
      address: `events.v1.{organization_id}.${type}`,
      title: type,
      servers: [{ $ref: '#/servers/jetstream' }],
      parameters: { organization_id: { description: 'The organization that the event belongs to.' } },
      messages: { [name]: { $ref: `#/components/messages/${name}` } },
    };
    operations[`publish_${name}`] = {
      action: 'send',
      description: `The platform publishes ${type}.`,
      channel: { $ref: `#/channels/${name}` },
      messages: [{ $ref: `#/channels/${name}/messages/${name}` }],
    };
  }
  channels.webhook = {
    address: null,
    title: 'Deliveries to agent endpoints',
    description: 'POST to the webhook_url of every agent endpoint of the project that subscribes to the type.',
    messages: Object.fromEntries(
      eventTypes.map((type) => [
        `${messageName(type)}_delivery`,
        { $ref: `#/components/messages/${messageName(type)}_delivery` },
      ]),
    ),
  };
  operations.deliver = {
    action: 'send',
    description: 'The platform posts an event to an agent endpoint.',
    channel: { $ref: '#/channels/webhook' },
  };
  const testCall = testCallDocument();
  channels.test_call = testCall.channel;
  Object.assign(operations, testCall.operations);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parley events',
      version: '1',
      description:
        'Events: at least once, in order per resource by `resource_seq`. Stream `EVENTS`, kept for 7 days. Also the messages of test calls.',
      tags: [{ name: 'events', description: 'What happened to calls, messages and campaigns' }],
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: { jetstream: { host: 'nats:4222', protocol: 'nats', description: 'JetStream, stream EVENTS' } },
    channels,
    operations,
    components: {
      messages,
      schemas: {
        ...jsonSchemasOf([EventEnvelope, ...eventTypes.map(dataClassOf)]),
        ...eventDataSchemas(),
        ...testCall.schemas,
      },
    },
  };
}
