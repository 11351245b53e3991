import { navigationStatus } from './navigation.rules';
import { warningsOf } from './setting-warnings.rules';
import type { StoredAgent } from './stored-agent.rules';
import { effectiveOpening, visibleAudioEnvironment, visibleTurnTaking } from './tuning.rules';

/**
 * AgentVoiceStack (docs/reference/voice-stack.md#read): the stored configuration combined with catalogue data. Contains no ids of bound credentials and no
 * secrets.
 */
export function voiceStackView(agent: StoredAgent): Readonly<Record<string, unknown>> {
  const { document } = agent;
  const { component_credential_bindings: bindings } = document;
  const {
    navigation_ineligible_reason: reason,
    published: _published,
    voice_label: label,
    ...projection
  } = agent.compiled.projection;
  return {
    agent_id: agent.agentId,
    organization_id: agent.organizationId,
    project_id: agent.projectId,
    voice_frontend: document.voice_frontend,
    ...projection,
    warnings: warningsOf(document, projection),
    bound_credentials: {
      stt: typeof bindings.stt === 'string',
      llm: typeof bindings.llm === 'string',
      tts: typeof bindings.tts === 'string',
    },
    voice_label: label ?? undefined,
    first_message: document.first_message,
    system_prompt: document.system_prompt,
    language_profiles: languageProfiles(agent),
    follow_caller: document.follow_caller,
    opening: effectiveOpening(document.opening),
    turn_taking: visibleTurnTaking(document.turn_taking),
    voice_polish: document.voice_polish,
    answer_detection: document.answer_detection,
    audio_environment: visibleAudioEnvironment(document.audio_environment),
    navigation: navigationStatus(document, reason),
  };
}

/** AgentLanguageProfiles (docs/reference/voice-stack.md#languages). */
function languageProfiles({
  document,
  published,
  languageProfileRevision,
}: StoredAgent): Readonly<Record<string, unknown>> {
  return {
    languages: document.languages ?? [],
    profiles: document.language_profiles,
    published_version: published.version,
    published_at: published.at,
    published_languages: published.languages,
    published_follow_caller: published.followCaller,
    published_starting_language: published.startingLanguage,
    revision: languageProfileRevision,
  };
}
