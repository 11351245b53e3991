import { shownTool } from '@parley/contract';
import type { AgentDocument } from './agent-document.rules';
import { isSelected } from './languages.rules';
import { visibleMetadata } from './metadata.rules';
import type { StoredAgent } from './stored-agent.rules';

/** The response of GET /v1/agents/{agent_id} (docs/reference/agents.md). Unset fields are absent, so that a client can send back what it read. */
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
    answers_messages: document.answers_messages,
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

/** Earlier versions accepted a language outside the selected ones, which no call ever used. It is not shown. */
function shownLanguage({ language, languages }: AgentDocument): string | undefined {
  return language === undefined || languages === undefined || isSelected(language, languages) ? language : undefined;
}
