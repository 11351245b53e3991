import { noPerson, organizationColumn, type ServiceTables } from './entry';
import { idempotency, outbox, poison, schemaMigrations, streamMemory } from './every-service';

/** Of the service insights. */
export const insightsTables: ServiceTables = {
  personal: {
    extraction_configurations: {
      personal: { document: 'a schema and a prompt that the customer wrote, which may name people' },
      other: ['organization_id', 'agent_id'],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'kept: until the customer deletes or replaces it',
    },
    idempotency,
    outbox,
    poison,
  },
  without: {
    extraction_jobs: ['call_id', 'organization_id', 'agent_id', 'run_id', 'rerun_id'],
    extraction_reruns: ['rerun_id', 'organization_id', 'agent_id', 'position'],
    ...streamMemory,
    schema_migrations: schemaMigrations,
  },
};
