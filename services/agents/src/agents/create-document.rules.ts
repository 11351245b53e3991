import type { Agent } from '@parley/contract';
import type { AgentDocument } from './agent-document.rules';
import { firstMessageOf } from './aliases.rules';
import { checkAnswers } from './answers-messages.rules';
import { checkComponentOptions } from './component-options.rules';
import {
  checkFollowCaller,
  checkLanguage,
  distinctLanguages,
  normaliseFollowCaller,
  normaliseProfiles,
  primaryLanguageAfter,
  refuseLanguageFields,
  type LanguageAxis,
} from './languages.rules';
import { freeMetadata, sectionsAtCreation } from './metadata.rules';
import { checkNavigationLimits } from './navigation.rules';

/** The document of a new agent (docs/reference/agents.md). @throws BadRequestError naming the invalid field */
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
    name: body.name ?? undefined,
    language: body.language ?? undefined,
    languages: body.languages === undefined ? undefined : distinctLanguages(body.languages),
    language_profiles: normaliseProfiles(body.language_profiles ?? []),
    follow_caller: sections.follow_caller === undefined ? undefined : normaliseFollowCaller(sections.follow_caller),
    system_prompt: body.system_prompt ?? undefined,
    first_message: firstMessage ?? undefined,
    voice: body.voice ?? undefined,
    tools: body.tools ?? [],
    translation: body.translation ?? undefined,
    recording_enabled: body.recording_enabled ?? false,
    answers_messages: body.answers_messages,
    webhook_url: body.webhook_url ?? undefined,
    audio_stream_url: body.audio_stream_url ?? undefined,
    component_credential_bindings: {},
    opening: sections.opening,
    navigation: sections.navigation,
    metadata: freeMetadata(body.metadata ?? {}),
  };
  primaryLanguageAfter(document, body.language);
  checkLanguage('translation.target_language', body.translation?.target_language);
  checkAnswers(document);
  checkComponentOptions({ voice: body.voice });
  checkFollowCaller(document, hasAxis);
  checkNavigationLimits(document, 'navigation');
  return document;
}
