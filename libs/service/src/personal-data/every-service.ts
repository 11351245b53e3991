import { organizationColumn, type PersonalTable } from './entry';

/** Tables that several services have, created by the SQL of libs/service and libs/outbox. */

export const idempotency: PersonalTable = {
  personal: {
    key: "a text that the organization's program chose",
    body: 'the response to the request that created a record, and so the content of the record',
  },
  other: ['organization_id', 'route', 'fingerprint', 'record_id'],
  byOrganization: organizationColumn,
  byPerson: { columns: ['record_id'] },
  aging:
    'deleted 24 hours after the record is gone; kept: while the record exists, so that a repeated request creates no second one',
};

export const outbox: PersonalTable = {
  personal: { payload: 'the event, with the resource that it is about' },
  other: ['id', 'stream', 'subject', 'traceparent', 'ordering_key', 'stream_created'],
  byOrganization: { through: 'the third part of subject' },
  byPerson: { columns: ['ordering_key'] },
  aging: 'dropped with its daily partition after 8 days, once everything in it was published',
};

const untilAnOperator = 'until an operator has looked at it and deletes it';

/** Of a service that consumes events: what became of the data is different in each. */
export const deadLetters = (aging: string): PersonalTable => ({
  personal: { payload: 'the event that could not be handled', error: 'an error that may quote the event' },
  other: ['durable', 'event_id', 'subject', 'traceparent'],
  byOrganization: { through: 'the third part of subject' },
  byPerson: { through: 'resource_id in the JSON of payload' },
  aging,
});

/** Of auth, which consumes audit events. */
export const deadAuditEvents = deadLetters(`kept: ${untilAnOperator}; it is evidence like the audit log`);

/** Of services that consume no events. */
export const noDeadLetters = deadLetters(
  `kept: ${untilAnOperator}; the service consumes no events, so the table is empty`,
);

/** The position of a consumer in its stream; contains no event data. */
export const streamMemory = {
  stream_memory: ['stream', 'durable', 'stream_created', 'event_id'],
  stream_marks: ['stream', 'durable', 'stream_created', 'event_id'],
} as const;

export const schemaMigrations = ['name', 'checksum'] as const;
