import type { Agent } from '@parley/contract';
import type { AgentDocument } from './agent-document';
import { firstMessageOf } from './aliases';
import {
  checkFollowCaller,
  checkLanguage,
  distinctLanguages,
  normaliseFollowCaller,
  normaliseProfiles,
  refuseLanguageFields,
  type LanguageAxis,
} from './languages';
import { freeMetadata, sectionsAtCreation } from './metadata';
import { checkNavigationLimits } from './navigation';
import { checkTools } from './tools';

/** The document that a create body asks for (section 2.1). Throws BadRequestError naming the field at fault. */
export function createDocument(body: Agent, hasAxis: LanguageAxis): AgentDocument {
  const engine = body.voice_frontend ?? 'cascade';
  const followCaller = body.follow_caller ?? body.metadata?.follow_caller;
  refuseLanguageFields({ ...body, follow_caller: followCaller }, engine, hasAxis);
  checkLanguage('language', body.language);
  const sections = sectionsAtCreation(body);
  const firstMessage = firstMessageOf(body);
  const document: AgentDocument = {
    mode: body.mode,
    voice_frontend: engine,
    name: body.name,
    language: body.language,
    languages: body.languages === undefined ? undefined : distinctLanguages(body.languages),
    language_profiles: normaliseProfiles(body.language_profiles ?? []),
    follow_caller: sections.follow_caller === undefined ? undefined : normaliseFollowCaller(sections.follow_caller),
    system_prompt: body.system_prompt,
    first_message: firstMessage,
    voice: body.voice,
    tools: body.tools ?? [],
    translation: body.translation,
    recording_enabled: body.recording_enabled ?? false,
    webhook_url: body.webhook_url,
    audio_stream_url: body.audio_stream_url,
    component_credential_bindings: {},
    opening: sections.opening,
    navigation: sections.navigation,
    metadata: freeMetadata(body.metadata ?? {}),
  };
  checkTools(document.tools);
  checkFollowCaller(document, hasAxis);
  checkNavigationLimits(document, 'navigation');
  return document;
}
