import { noPerson, organizationColumn, type ServiceTables } from './entry';
import { idempotency, outbox, deadLetters, schemaMigrations, streamMemory } from './every-service';

/** The tables of the service webhooks. */
export const webhooksTables: ServiceTables = {
  personal: {
    events: {
      personal: { payload: 'the event, with the call, message or campaign that it is about' },
      other: ['organization_id', 'id', 'project_id', 'agent_id', 'type', 'resource_id', 'traceparent'],
      byOrganization: organizationColumn,
      byPerson: { columns: ['resource_id'] },
      aging: 'dropped with its daily partition after 35 days',
    },
    attempts: {
      personal: {
        response_body: "the beginning of what the customer's server answered, which may quote the event",
        error: 'why an attempt failed',
      },
      other: ['organization_id', 'delivery_id', 'endpoint_id', 'event_type'],
      byOrganization: organizationColumn,
      byPerson: { through: 'deliveries, by delivery_id, and their events' },
      aging: 'dropped with its daily partition after 30 days',
    },
    endpoints: {
      personal: {
        name: 'a name that the customer chose',
        webhook_url: "an address of the customer's server, which may name a user",
        audio_stream_url: "an address of the customer's server, which may name a user",
      },
      other: ['organization_id', 'id', 'project_id', 'events', 'payload_scopes', 'status'],
      byOrganization: organizationColumn,
      byPerson: noPerson('it is about the customer'),
      aging: 'deleted 35 days after the endpoint was deleted',
    },
    idempotency,
    outbox,
    dead_letters: deadLetters(
      'deleted when its call, message or contact is erased; kept: until then, or until an operator has looked at it and deletes it',
    ),
  },
  without: {
    deliveries: ['organization_id', 'id', 'endpoint_id', 'event_id', 'event_type', 'status'],
    endpoint_secrets: ['organization_id', 'endpoint_id', 'sealed'],
    event_heads: ['organization_id'],
    endpoint_queues: ['organization_id', 'endpoint_id', 'leased_by', 'health'],
    recoveries: ['organization_id', 'id', 'endpoint_id', 'position', 'last_position', 'status'],
    ...streamMemory,
    schema_migrations: schemaMigrations,
  },
};
