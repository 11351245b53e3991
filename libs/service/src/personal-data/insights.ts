import { noPerson, organizationColumn, type ServiceTables } from './entry';
import { idempotency, outbox, deadLetters, schemaMigrations, streamMemory } from './every-service';

/** The tables of the service insights. */
export const insightsTables: ServiceTables = {
  personal: {
    extraction_configurations: {
      personal: { document: 'a schema and a prompt that the customer wrote, which may name people' },
      other: ['organization_id', 'agent_id'],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'kept: until the customer deletes or replaces it, or deletes the agent',
    },
    simulation_suites: {
      personal: {
        name: 'what the customer wrote',
        scenarios:
          'what the customer wrote, and what the other party said in calls that were imported, with what tools returned',
      },
      other: ['simulation_suite_id', 'organization_id', 'project_id', 'agent_id'],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'kept: until the customer deletes the suite, or replaces the scenario of an imported call',
    },
    simulation_runs: {
      personal: {
        scenarios: 'those of the suite when the run began',
        configuration: 'prompts and tools of the agent, which may name people',
        extraction: 'a schema and a prompt that the customer wrote',
      },
      other: [
        'simulation_run_id',
        'organization_id',
        'simulation_suite_id',
        'agent_id',
        'target',
        'publication_sha256',
      ],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'deleted with their suite; of those that are over, the newest 50 of a suite stay',
    },
    simulation_results: {
      personal: {
        verdicts: 'what was found in a conversation',
        document: 'the turns of a conversation that no person had, of an imported scenario what the other party said',
      },
      other: ['simulation_run_id', 'organization_id'],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'deleted with their run',
    },
    idempotency,
    outbox,
    dead_letters: deadLetters('deleted seven days after it was stored'),
  },
  without: {
    extraction_jobs: ['call_id', 'organization_id', 'agent_id', 'run_id', 'rerun_id'],
    simulation_runner_seen: [],
    simulation_spoken_offers: ['offers'],
    simulation_jobs: ['job_id', 'organization_id', 'simulation_run_id', 'worker_id', 'needs'],
    extraction_reruns: ['rerun_id', 'organization_id', 'agent_id', 'position'],
    ...streamMemory,
    schema_migrations: schemaMigrations,
  },
};
