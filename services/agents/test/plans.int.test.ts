import path from 'node:path';
import type { Database } from '@parley/runtime';
import { genericPlanTests, placeholderArgument } from '@parley/testing';
import { insertAgents, type NewAgent } from '../src/agents/insert-agents.sql';

/** Every function with SQL, and the only access paths that its statements may use. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'agents/agents.cross-tenant.findOwner': ['agents_pkey by agent_id'],
  'agents/insert-agents.insertAgents': [],
  'agents/list-agents.listAgentViews': ['agents_of_project by organization_id, project_id, created_at'],
  'agents/read-agent.findAgentViews': ['agents_by_name by organization_id', 'agents_pkey by agent_id'],
  'agents/read-agent.findForCall': [
    'agent_knowledge_bases_pkey by agent_id',
    'agent_settings_pkey by agent_id',
    'agents_pkey by agent_id',
  ],
  'agents/read-agent.findForChange': ['agents_pkey by agent_id'],
  'agents/read-agent.findVoiceStackView': ['agents_pkey by agent_id'],
  'agents/agents.cross-tenant.findStaleProjections': [
    'agents_by_catalogue_version by catalogue_version',
    'agents_by_rendered by rendered',
  ],
  'agents/write-agent.commitChange': ['agents_pkey by agent_id'],
  'agents/read-agent.findWorkflowsOf': ['agent_workflows_pkey by agent_id', 'agents_pkey by agent_id'],
  'publications/publications.findPublicationRow': [
    'agent_publications_pkey by organization_id, agent_id, version',
    'agents_pkey by agent_id',
  ],
  'publications/publications.findPublishedConfiguration': [
    'agent_publications_pkey by organization_id, agent_id, version',
  ],
  'publications/publications.listPublicationRows': [
    'agent_publications_pkey by organization_id, agent_id, version',
    'agents_pkey by agent_id',
  ],
  'templates/message-templates.databaseTime': [],
  'templates/message-templates.findTemplate': ['message_templates_pkey by template_id'],
  'templates/message-templates.insertTemplate': [],
  'templates/message-templates.listTemplates': ['message_templates_of_organization by organization_id, created_at'],
  'templates/message-templates.updateTemplate': ['message_templates_pkey by template_id'],
  'record-owners/record-owners.cross-tenant.findTemplateOwner': ['message_templates_pkey by template_id'],
  'variables/variables.findVariables': ['agents_pkey by agent_id'],
  'workflows/phone-pins.endPin': ['agent_workflows_pkey by agent_id'],
  'workflows/phone-pins.findPin': ['agent_workflows_pkey by agent_id'],
  'workflows/phone-pins.writePin': ['agent_workflows_pkey by agent_id'],
  'workflows/workflows.discardDraft': ['agent_workflows_pkey by agent_id'],
  'workflows/workflows.findVersionContent': ['agent_workflow_versions_pkey by organization_id, agent_id, version'],
  'workflows/workflows.findWorkflow': ['agent_workflows_pkey by agent_id', 'agents_pkey by agent_id'],
  'workflows/workflows.listVersions': ['agent_workflow_versions_pkey by organization_id, agent_id, version'],
  'workflows/workflows.lockWorkflow': ['agent_workflows_pkey by agent_id', 'agents_pkey by agent_id'],
  'workflows/workflows.publishVersion': ['agent_workflows_pkey by agent_id', 'agents_pkey by agent_id'],
  'workflows/workflows.unpublish': ['agent_workflows_pkey by agent_id', 'agents_pkey by agent_id'],
  'workflows/workflows.writeDraft': ['agent_workflows_pkey by agent_id'],
};

/** Functions without their own statements that cannot be called with placeholder arguments. */
const others: readonly string[] = ['agents/agent-row.agentOf', 'agents/agent-row.writtenValues'];

/** The statement depends on the number of agents. */
const asked: Readonly<Record<string, (db: Database) => unknown>> = {
  'agents/insert-agents.insertAgents': (db) => insertAgents(db, 'org_1', [placeholderArgument as NewAgent]),
};

describe('generic plans, prepared while every table is empty', () => {
  const service = path.resolve(__dirname, '..');
  const goesAsExpected = genericPlanTests({ service, schema: 'agents', expected, others, asked });

  it.each(Object.keys(expected))('%s uses the expected index when the tables are full', goesAsExpected);
});
