import path from 'node:path';
import { keptPlanTests } from '@parley/testing';

/** Every function of src/db that asks something, with the only ways by which its statements may reach their rows. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'jobs/stale-projections.findStaleProjections': ['agents_by_catalogue_version by catalogue_version'],
  'list-agents.listAgentViews': ['agents_of_project by organization_id, project_id, created_at'],
  'message-templates.findTemplate': ['message_templates_pkey by template_id'],
  'message-templates.insertTemplate': [],
  'message-templates.listTemplates': ['message_templates_of_organization by organization_id, created_at'],
  'message-templates.updateTemplate': ['message_templates_pkey by template_id'],
  'owner-look-ups.findOwner': ['agents_pkey by agent_id'],
  'owner-look-ups.findTemplateOwner': ['message_templates_pkey by template_id'],
  'phone-pins.endPin': ['agent_workflows_pkey by agent_id'],
  'phone-pins.writePin': ['agent_workflows_pkey by agent_id'],
  'publications.findPublicationRow': [
    'agent_publications_pkey by organization_id, agent_id, version',
    'agents_pkey by agent_id',
  ],
  'publications.findPublishedConfiguration': ['agent_publications_pkey by organization_id, agent_id, version'],
  'publications.listPublicationRows': [
    'agent_publications_pkey by organization_id, agent_id, version',
    'agents_pkey by agent_id',
  ],
  'read-agent.databaseTime': [],
  'read-agent.findAgentView': ['agents_pkey by agent_id'],
  'read-agent.findForCall': ['agents_pkey by agent_id'],
  'read-agent.findForChange': ['agents_pkey by agent_id'],
  'read-agent.findVariables': ['agents_pkey by agent_id'],
  'read-agent.findVoiceStackView': ['agents_pkey by agent_id'],
  'workflows.findVersionContent': ['agent_workflow_versions_pkey by organization_id, agent_id, version'],
  'workflows.findWorkflow': ['agent_workflows_pkey by agent_id', 'agents_pkey by agent_id'],
  'workflows.listVersions': ['agent_workflow_versions_pkey by organization_id, agent_id, version'],
  'workflows.lockWorkflow': ['agent_workflows_pkey by agent_id', 'agents_pkey by agent_id'],
  'workflows.publishVersion': ['agent_workflows_pkey by agent_id', 'agents_pkey by agent_id'],
  'workflows.writeDraft': ['agent_workflows_pkey by agent_id'],
  'write-agent.commitChange': ['agents_pkey by agent_id'],
  'write-agent.insertAgent': [],
};

/** What asks nothing, or not by itself, and minds what it is given. */
const others: readonly string[] = ['agent-row.agentOf', 'agent-row.writtenValues'];

describe('plans that are kept, made while every table is empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = keptPlanTests({ service, schema: 'agents', expected, others });

  it.each(Object.keys(expected))(
    'decisions 4: %s goes by the index that fits when the tables are full',
    goesAsExpected,
  );
});
