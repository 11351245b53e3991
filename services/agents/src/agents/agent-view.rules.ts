import { shownTool } from '@parley/contract';
import type { AgentDocument } from './agent-document.rules';
import { isSelected } from './languages.rules';
import { visibleMetadata } from './metadata.rules';
import type { StoredAgent } from './stored-agent.rules';

/** GET /v1/agents/{agent_id} (docs/reference/agents.md): unset fields are absent, so that a read can be sent back. */
export function agentView(agent: StoredAgent): Readonly<Record<string, unknown>> {
  const { document } = agent;
  return {
    agent_id: agent.agentId,
    organization_id: agent.organizationId,
    project_id: agent.projectId,
    mode: document.mode,
    status: agent.status,
    name: document.name,
    language: shownLanguage(document),
    system_prompt: document.system_prompt,
    first_message: document.first_message,
    voice: document.voice,
    tools: document.tools.map(shownTool),
    translation: document.translation,
    recording_enabled: document.recording_enabled,
    webhook_url: document.webhook_url,
    audio_stream_url: document.audio_stream_url,
    metadata: visibleMetadata(document),
    voice_stack: {
      voice_frontend: document.voice_frontend,
      languages: document.languages ?? [],
      language_profiles: document.language_profiles,
      published_version: agent.published.version,
    },
    suspension: agent.suspension,
    created_at: agent.createdAt,
    updated_at: agent.updatedAt,
  };
}

/** Earlier versions stored a language outside the selection: no call ever spoke it. */
function shownLanguage({ language, languages }: AgentDocument): string | undefined {
  return language === undefined || languages === undefined || isSelected(language, languages) ? language : undefined;
}
