import { eventTypes } from '../events';

const list = JSON.stringify(eventTypes);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The same with references to the schema EventType in place of the list of all types. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (!isObject(value)) return value;
  const { type, enum: values, ...rest } = value;
  if (type === 'string' && JSON.stringify(values) === list) return { $ref: '#/components/schemas/EventType', ...rest };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, referring(inner)]));
}

/** The list of all types of events stands in the document once. */
export const sharingEventType = <T extends object>(part: T): T => referring(part) as T;

export const eventTypeSchema = { type: 'string', enum: eventTypes, description: 'The type of an event.' };
