import { shownTool, type VoiceStackConfiguration } from '@parley/contract';
import type { AgentDocument } from './agent-document.rules';

type CredentialProviders = NonNullable<VoiceStackConfiguration['component_credential_providers']>;
type Standby = NonNullable<VoiceStackConfiguration['component_credential_standby']>;

/** The input of voice-stack's compilation, with the providers of the bound credentials. */
export function configurationOf(
  organizationId: string,
  document: AgentDocument,
  credentialProviders: CredentialProviders,
  standby: Standby,
): VoiceStackConfiguration {
  return {
    organization_id: organizationId,
    mode: document.mode,
    voice_frontend: document.voice_frontend,
    language: document.language ?? null,
    languages: document.languages === undefined ? null : [...document.languages],
    language_profiles: [...document.language_profiles],
    follow_caller: document.follow_caller ?? null,
    system_prompt: document.system_prompt ?? null,
    first_message: document.first_message ?? null,
    transcriber: document.transcriber ?? null,
    model: document.model ?? null,
    voice: document.voice ?? null,
    tools: document.tools.map(shownTool),
    translation: document.translation ?? null,
    variables: document.variables ?? null,
    component_credential_bindings: {
      stt: document.component_credential_bindings.stt ?? null,
      llm: document.component_credential_bindings.llm ?? null,
      tts: document.component_credential_bindings.tts ?? null,
    },
    component_credential_providers: credentialProviders,
    ...(Object.keys(standby).length > 0 && { component_credential_standby: standby }),
  };
}
