import { noPerson, organizationColumn, type ServiceTables } from './entry';
import { idempotency, outbox, deadAuditEvents, noDeadLetters, schemaMigrations, streamMemory } from './every-service';

const configured = (what: string): string => `${what}: may name people and the phone numbers to transfer to`;
const ofEmployees = noPerson('it is about people of the organization, whose calls are not recorded by it');

/** The tables of the service auth. */
export const authTables: ServiceTables = {
  personal: {
    organizations: {
      personal: {
        name: 'the name of the customer, who may be one person',
        suspension_reason: 'why an operator suspended the customer',
      },
      other: ['organization_id', 'billing', 'status'],
      byOrganization: organizationColumn,
      byPerson: ofEmployees,
      aging: 'kept: organizations are never removed',
    },
    projects: {
      personal: { name: 'a name that the customer chose' },
      other: ['project_id', 'organization_id'],
      byOrganization: organizationColumn,
      byPerson: ofEmployees,
      aging: 'kept: projects are never removed',
    },
    api_keys: {
      personal: {
        name: 'a name that the customer chose, often that of its holder',
        last_used_address: 'the network address that it was last used from',
      },
      other: [
        'key_id',
        'organization_id',
        'kind',
        'scopes',
        'token_hash',
        'last_four',
        'created_by',
        'allowed_cidrs',
        'session_of',
        'shared_limits',
      ],
      byOrganization: organizationColumn,
      byPerson: ofEmployees,
      aging: 'deleted 90 days after it was revoked or expired, once no key that it issued is valid',
    },
    component_credentials: {
      personal: { name: 'a name that the customer chose' },
      other: [
        ...['component_credential_id', 'organization_id', 'kind', 'provider', 'secret', 'vault_key_id', 'created_by'],
        ...['base_url', 'test_detail'],
      ],
      byOrganization: organizationColumn,
      byPerson: ofEmployees,
      aging: 'kept: until the customer deletes it',
    },
    verifications: {
      personal: {
        reason: 'why the provider of identity checks rejected the customer',
        documents: 'sizes and hashes of identity documents, without their content, which is passed on and not kept',
      },
      other: ['verification_id', 'organization_id', 'kind', 'status', 'created_by'],
      byOrganization: organizationColumn,
      byPerson: ofEmployees,
      aging: 'kept: as the evidence that the customer was verified; organizations are never removed',
    },
    audit_log: {
      personal: {
        actor_key_id: 'the key, and so its holder',
        subject: 'the id that was acted on',
        detail: 'what was changed, such as a phone number taken off the suppression list',
        client_address: 'the network address of the client that acted',
        user_agent: 'the user agent of the client that acted',
      },
      other: ['audit_id', 'organization_id', 'action'],
      byOrganization: organizationColumn,
      byPerson: { columns: ['subject', 'detail'] },
      aging:
        'deleted after AUDIT_RETENTION_DAYS, at least 365; until then it is append-only, as the evidence of who changed what',
    },
    idempotency,
    dead_letters: deadAuditEvents,
  },
  without: {
    control_changes: ['kind', 'subject'],
    control_epoch: [],
    maintenance: ['message'],
    suspended_agents: ['agent_id', 'organization_id'],
    ...streamMemory,
    schema_migrations: schemaMigrations,
  },
};

/** The tables of the service agents. */
export const agentsTables: ServiceTables = {
  personal: {
    agents: {
      personal: {
        document: configured('the configuration as it was written'),
        view: configured('the configuration as it is read'),
        voice_stack_view: configured('the voice stack as it is read'),
        tuning: configured('what a call pins'),
        projection: configured('what is computed from the configuration'),
        variables: configured('variables with their defaults'),
        workflow: configured('the published workflow'),
        tool_secrets: 'sealed headers of tools, which may name a user',
        suspension: 'the reason of a suspension, as an operator wrote it',
      },
      other: [
        ...['agent_id', 'organization_id', 'project_id', 'status', 'catalogue_version', 'mode', 'language'],
        ...['published_sha256', 'published_languages', 'published_follow_caller', 'published_starting_language'],
        'suspended_from',
      ],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'kept: as long as the agent, which the customer deletes',
    },
    agent_publications: {
      personal: { configuration: configured('the published configuration') },
      other: ['organization_id', 'agent_id', 'sha256', 'languages', 'catalogue_version'],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'kept: it is append-only, because calls pin a version and versions can be restored',
    },
    agent_workflows: {
      personal: {
        draft: configured('the draft of a workflow'),
        layout: 'labels on the canvas',
        pin_digest: 'digest of the PIN that identifies a test caller',
      },
      other: ['organization_id', 'agent_id', 'pin_salt'],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'the PIN expires; kept: the draft, as long as the agent',
    },
    agent_workflow_versions: {
      personal: { definition: configured('a published workflow'), layout: 'labels on the canvas' },
      other: ['organization_id', 'agent_id', 'sha256'],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'kept: it is append-only, because calls pin a version',
    },
    connections: {
      personal: { view: configured('a connection to another system'), secret: 'what authenticates there, sealed' },
      other: ['organization_id', 'connection_id', 'project_id'],
      byOrganization: organizationColumn,
      byPerson: noPerson('it is about systems of the organization'),
      aging: 'kept: until the customer deletes it',
    },
    message_templates: {
      personal: { view: configured('texts of messages') },
      other: ['organization_id', 'template_id'],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'kept: templates are not removed yet',
    },
    idempotency,
    outbox,
    dead_letters: noDeadLetters,
  },
  without: {
    agent_knowledge_bases: ['organization_id', 'agent_id', 'knowledge_base_ids'],
    schema_migrations: schemaMigrations,
  },
};

/** The tables of the service voice-stack. */
export const voiceStackTables: ServiceTables = {
  personal: {
    publications: {
      personal: { content: configured('what a worker needs to conduct a call') },
      other: ['organization_id', 'sha256'],
      byOrganization: organizationColumn,
      byPerson: noPerson('the texts are searched by hand'),
      aging: 'kept: it is append-only, because calls pin it by its hash',
    },
  },
  without: { schema_migrations: schemaMigrations },
};
