import { visibleMetadata } from './metadata';
import type { StoredAgent } from './stored-agent';

/** GET /v1/agents/{agent_id} (decisions section 4): what was never set is absent, so that what was read can be sent back. */
export function agentView(agent: StoredAgent): Readonly<Record<string, unknown>> {
  const { document } = agent;
  return {
    agent_id: agent.agentId,
    organization_id: agent.organizationId,
    project_id: agent.projectId,
    mode: document.mode,
    status: agent.status,
    name: document.name,
    language: document.language,
    system_prompt: document.system_prompt,
    first_message: document.first_message,
    voice: document.voice,
    tools: document.tools,
    translation: document.translation,
    recording_enabled: document.recording_enabled,
    webhook_url: document.webhook_url,
    audio_stream_url: document.audio_stream_url,
    metadata: visibleMetadata(document),
    created_at: agent.createdAt,
    updated_at: agent.updatedAt,
  };
}
