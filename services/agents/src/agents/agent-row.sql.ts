import type { Published, StoredAgent } from './stored-agent.rules';

/** The columns that a write uses. */
export interface AgentRow {
  readonly agent_id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly status: StoredAgent['status'];
  readonly suspended_from: StoredAgent['suspendedFrom'] | null;
  readonly suspension: string | null;
  readonly revision: number;
  readonly language_profile_revision: number;
  readonly document: string;
  readonly tool_secrets: string;
  readonly projection: string;
  readonly catalogue_version: string;
  readonly cost_micros_per_minute: number;
  readonly published_version: number;
  readonly published_sha256: string;
  readonly published_at: Date | null;
  readonly published_languages: string[];
  readonly published_follow_caller: Published['followCaller'];
  readonly published_starting_language: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const agentColumns = `agent_id, organization_id, project_id, status, suspended_from, suspension, revision, language_profile_revision, document, tool_secrets, projection,
  catalogue_version, cost_micros_per_minute, published_version, published_sha256, published_at, published_languages,
  published_follow_caller, published_starting_language, created_at, updated_at`;

export function agentOf(row: AgentRow): StoredAgent {
  return {
    agentId: row.agent_id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    status: row.status,
    suspendedFrom: row.suspended_from ?? undefined,
    suspension: row.suspension === null ? undefined : (JSON.parse(row.suspension) as StoredAgent['suspension']),
    revision: row.revision,
    languageProfileRevision: row.language_profile_revision,
    document: JSON.parse(row.document) as StoredAgent['document'],
    toolSecrets: JSON.parse(row.tool_secrets) as StoredAgent['toolSecrets'],
    compiled: {
      projection: JSON.parse(row.projection) as StoredAgent['compiled']['projection'],
      catalogueVersion: row.catalogue_version,
      costMicrosPerMinute: row.cost_micros_per_minute,
    },
    published: {
      version: row.published_version,
      sha256: row.published_sha256,
      at: row.published_at?.toISOString() ?? '',
      languages: row.published_languages,
      followCaller: row.published_follow_caller,
      startingLanguage: row.published_starting_language,
    },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The format version of the rendered views. Increment it when the format changes: a background task then renders the views of all agents again. */
export const renderedForm = 2;

/** The values of a write, in the order of the columns in `writtenColumns`. */
export function writtenValues(
  agent: StoredAgent,
  rendered: { view: string; voiceStackView: string; tuning: string },
): readonly unknown[] {
  const { document, compiled, published } = agent;
  return [
    agent.organizationId,
    agent.agentId,
    agent.projectId,
    agent.status,
    agent.revision,
    agent.languageProfileRevision,
    JSON.stringify(document),
    rendered.view,
    rendered.voiceStackView,
    rendered.tuning,
    JSON.stringify(compiled.projection),
    compiled.catalogueVersion,
    compiled.costMicrosPerMinute,
    document.mode,
    document.language ?? '',
    document.recording_enabled,
    published.version,
    published.sha256,
    published.at === '' ? null : published.at,
    published.languages,
    published.followCaller === null ? null : JSON.stringify(published.followCaller),
    published.startingLanguage,
    agent.createdAt,
    agent.updatedAt,
    document.variables === undefined ? null : JSON.stringify(document.variables),
    agent.suspendedFrom ?? null,
    JSON.stringify(agent.toolSecrets),
    agent.suspension === undefined ? null : JSON.stringify(agent.suspension),
    renderedForm,
  ];
}
