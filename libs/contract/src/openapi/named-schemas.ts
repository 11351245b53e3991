import { deliveredTypes, eventTypes } from '../events';
import { callStatuses } from '../objects/call';
import { WorkerProviders } from '../objects/capabilities';
import { endedReasons, readableEndedReasons } from '../objects/ended-reasons';
import { messageStatuses } from '../objects/message';
import { transferOutcomes } from '../objects/transfer';
import { jsonSchemaOf, type JsonSchema } from '../schema/json-schema-of';
import { catalogueParts } from '../schema/shapes';

/** Enumerations that the document contains only once, by the name of their schema. */
const namedLists: Readonly<
  Record<
    string,
    { readonly type: string | readonly string[]; readonly enum: readonly (string | null)[]; description: string }
  >
> = {
  EventType: { type: 'string', enum: eventTypes, description: 'The type of an event.' },
  DeliveredType: { type: 'string', enum: deliveredTypes, description: 'The type of an event, or of a test.' },
  EndedReason: { type: 'string', enum: endedReasons, description: 'Why a call ended.' },
  EndedReasonRead: {
    type: ['string', 'null'],
    enum: [...readableEndedReasons, null],
    description: 'Why a call ended, with reasons that only old calls have; null while it has not.',
  },
  CallStatus: { type: 'string', enum: callStatuses, description: 'The status of a call.' },
  MessageStatus: { type: 'string', enum: messageStatuses, description: 'The status of a message.' },
  TransferOutcome: { type: 'string', enum: transferOutcomes, description: 'How a transfer stands or ended.' },
};

/** The schema of a field without its description. */
function formOf(field: unknown): JsonSchema {
  const { description: _description, ...form } = field as JsonSchema;
  return form;
}

/** Schemas that fields with different names and descriptions have in common. In lower case, like shared fields: these are no classes. */
const namedForms: Readonly<Record<string, JsonSchema>> = {
  capability_names: {
    ...formOf((jsonSchemaOf(WorkerProviders).properties as Record<string, unknown>).stt),
    description: 'Names of what a worker can do.',
  },
};

const refTo = (name: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** The schema of an agent's tool, which is used in several schemas. */
const agentTool = {
  type: 'object',
  oneOf: ['BuiltinTool', 'WebhookTool', 'ConnectionTool'].map(refTo),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      Object.entries({ builtin: 'BuiltinTool', webhook: 'WebhookTool', connection: 'ConnectionTool' }).map(
        ([type, name]) => [type, refTo(name).$ref],
      ),
    ),
  },
};

const typeLists = new Map(Object.entries(namedLists).map(([name, list]) => [JSON.stringify(list.enum), name]));

const formNames = new Map(Object.entries(namedForms).map(([name, form]) => [JSON.stringify(formOf(form)), name]));

export const namedSchemas: Readonly<Record<string, JsonSchema>> = {
  ...namedLists,
  ...namedForms,
  ...catalogueParts,
  AgentTool: { ...agentTool, description: 'A tool of an agent; `type` tells the kinds apart.' },
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Replaces the named schemas in a value by references. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (!isObject(value)) return value;
  if (JSON.stringify(value) === JSON.stringify(agentTool)) return refTo('AgentTool');
  const form = formNames.get(JSON.stringify(formOf(value)));
  if (form !== undefined) return { ...refTo(form), description: value.description };
  const { type, enum: values, ...rest } = value;
  const name = type === undefined ? undefined : typeLists.get(JSON.stringify(values));
  if (name !== undefined) return { ...refTo(name), ...rest };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, referring(inner)]));
}

/** Replaces the named schemas by references, so that the document contains each of them once. */
export const sharingNamed = <T extends object>(part: T): T => referring(part) as T;
