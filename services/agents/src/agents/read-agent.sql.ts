import type { StoredAgent } from './stored-agent.rules';
import { agentColumns, agentOf, type AgentRow } from './agent-row.sql';
import type { WorkflowDefinition } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { AgentWorkflows } from './workflow-tools.rules';

/** A rendered view: JSON text, and the revision for the ETag. */
export interface StoredView {
  readonly json: string;
  readonly revision: number;
}

/** Returns the views of several agents by id. Absent agents and those of other organizations are omitted. */
export async function findAgentViews(
  db: Queryable,
  organizationId: string,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, StoredView>> {
  const { rows } = await db.query<StoredView & { readonly agent_id: string }>({
    name: 'agent-views',
    text: `select agent_id, view as json, revision from agents
           where organization_id = $1 and agent_id = any($2::text[])`,
    values: [organizationId, agentIds],
  });
  return new Map(rows.map((row) => [row.agent_id, row]));
}

/** The data for a read of the voice stack, as JSON texts. */
export interface VoiceStackView extends StoredView {
  readonly agent: string;
  readonly document: string;
}

export async function findVoiceStackView(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<VoiceStackView | undefined> {
  const { rows } = await db.query<VoiceStackView>({
    name: 'agent-voice-stack-view',
    text: `select voice_stack_view as json, view as agent, document, revision from agents
           where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
  return rows[0];
}

/** Returns an agent that is about to be changed, with the database's clock (ISO 8601, milliseconds). */
export async function findForChange(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<{ agent: StoredAgent; now: string } | undefined> {
  const { rows } = await db.query<AgentRow & { now: Date }>({
    name: 'agent-for-change',
    text: `select ${agentColumns}, now() as now from agents where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
  const row = rows[0];
  return row === undefined ? undefined : { agent: agentOf(row), now: row.now.toISOString() };
}

/** The data that the admission of a call reads. */
export interface CallRow {
  readonly organization_id: string;
  readonly project_id: string;
  readonly status: StoredAgent['status'];
  readonly mode: string;
  readonly language: string;
  readonly recording_enabled: boolean;
  readonly cost_micros_per_minute: number;
  readonly published_version: number;
  readonly published_sha256: string;
  readonly tuning: string;
  /** Empty if there is a publication. */
  readonly document: string;
  /** VariablesConfig; null if no variables are declared. */
  readonly variables: string | null;
  /** The published workflow in the form that calls use; null if none is published. */
  readonly workflow: string | null;
  /** The server that provides the agent's text; null if not set, and in every other mode. */
  readonly webhook_url: string | null;
  /** The server that provides the agent's audio; null if not set, and in every other mode. */
  readonly audio_stream_url: string | null;
  /** Null if never set. */
  readonly knowledge_base_ids: readonly string[] | null;
  /** The saved settings by name, as JSON text; null if there are none. */
  readonly settings: string | null;
}

export async function findForCall(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<CallRow | undefined> {
  const { rows } = await db.query<CallRow>({
    name: 'agent-for-call',
    text: `select organization_id, project_id, status, mode, language, recording_enabled, cost_micros_per_minute, published_version,
             published_sha256, tuning, case when published_version = 0 or projection::json ->> 'selectable' = 'false' then document else '' end as document, variables, workflow,
             case when mode = 'external_text' then view::json ->> 'webhook_url' end as webhook_url,
             case when mode = 'external_audio' then view::json ->> 'audio_stream_url' end as audio_stream_url,
             (select knowledge_base_ids from agent_knowledge_bases as assigned
              where assigned.organization_id = agents.organization_id and assigned.agent_id = agents.agent_id) as knowledge_base_ids,
             (select json_object_agg(name, value::json)::text from agent_settings as saved
              where saved.organization_id = agents.organization_id and saved.agent_id = agents.agent_id) as settings
           from agents where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
  return rows[0];
}

/** The published and the draft workflow of an agent. */
export async function findWorkflowsOf(db: Queryable, organizationId: string, agentId: string): Promise<AgentWorkflows> {
  const { rows } = await db.query<{ published: string | null; draft: string | null }>({
    name: 'agent-workflows-find',
    text: `select a.workflow as published, w.draft from agents a left join agent_workflows w on w.agent_id = a.agent_id and w.organization_id = a.organization_id
           where a.organization_id = $1 and a.agent_id = $2`,
    values: [organizationId, agentId],
  });
  const { published = null, draft = null } = rows[0] ?? {};
  return {
    ...(published !== null && { published: (JSON.parse(published) as { definition: WorkflowDefinition }).definition }),
    ...(draft !== null && { draft: JSON.parse(draft) as WorkflowDefinition }),
  };
}
