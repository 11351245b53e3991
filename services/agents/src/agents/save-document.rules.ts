import type { AgentVoiceStackUpdate, ComponentCredentialBindings } from '@parley/contract';
import { conflict } from '@parley/errors';
import type { AgentDocument } from './agent-document.rules';
import { firstMessageOf } from './aliases.rules';
import { cleared } from './cleared.rules';
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
import { checkNavigationLimits, normaliseNavigation } from './navigation.rules';
import { withoutReadBack } from './read-back.rules';
import type { StoredAgent } from './stored-agent.rules';
import { checkExpectedTools, checkTools } from './tools.rules';
import { answerDetectionAfter, nonEmpty, normaliseVoicePolish } from './tuning.rules';

/**
 * A voice-stack save merged into the stored document (docs/reference/voice-stack.md). Sections are replaced whole when sent, absent ones stay,
 * an empty object or null resets one (navigation excepted, docs/reference/tuning.md). The credentials that it binds are judged before.
 */
export function saveDocument(agent: StoredAgent, sent: AgentVoiceStackUpdate, hasAxis: LanguageAxis): AgentDocument {
  const stored = agent.document;
  const body = withoutReadBack(agent, sent);
  if (body.tools !== undefined) checkTools(body.tools, stored.tools);
  checkComponentOptions(body, stored);
  checkLanguage('language', body.language);
  const engine = body.voice_frontend ?? stored.voice_frontend;
  refuseLanguageFields(body, engine, hasAxis);
  const merged: AgentDocument = {
    ...stored,
    voice_frontend: engine,
    language: cleared(stored.language, body.language),
    languages: cleared(stored.languages, body.languages && distinctLanguages(body.languages)),
    language_profiles:
      body.language_profiles === undefined ? stored.language_profiles : normaliseProfiles(body.language_profiles),
    follow_caller: replaced(stored.follow_caller, body.follow_caller, normaliseFollowCaller),
    system_prompt: cleared(stored.system_prompt, body.system_prompt),
    first_message: cleared(stored.first_message, firstMessageOf(body)),
    transcriber: cleared(stored.transcriber, body.transcriber),
    model: cleared(stored.model, body.model),
    voice: cleared(stored.voice, body.voice),
    tools: body.tools ?? stored.tools,
    component_credential_bindings: mergeBindings(
      stored.component_credential_bindings,
      body.component_credential_bindings,
    ),
    opening: replaced(stored.opening, body.opening, keep),
    turn_taking: replaced(stored.turn_taking, body.turn_taking, keep),
    voice_polish: replaced(stored.voice_polish, body.voice_polish, normaliseVoicePolish),
    answer_detection: answerDetectionAfter(stored.answer_detection, body.answer_detection),
    audio_environment: replaced(stored.audio_environment, body.audio_environment, keep),
    navigation: body.navigation === undefined ? stored.navigation : normaliseNavigation(body.navigation),
  };
  const document = { ...merged, language: primaryLanguageAfter(merged, body.language) };
  checkFollowCaller(document, hasAxis);
  if (body.navigation !== undefined) checkNavigationLimits(document, 'navigation');
  if (body.turn_taking !== undefined) checkNavigationLimits(document, 'turn_taking');
  // Conflicts are reported for bodies that are whole (docs/reference/requests.md).
  checkLanguageProfileRevision(agent, body.language_profile_revision);
  checkExpectedTools(stored.tools, body);
  return document;
}

/** 409 when the save was made on languages that are no longer the stored ones (docs/reference/voice-stack.md). */
function checkLanguageProfileRevision(
  { languageProfileRevision: current }: StoredAgent,
  sent: number | undefined,
): void {
  if (sent !== undefined && sent !== current)
    throw conflict(`language_profile_revision is stale: the current one is ${current}`);
}

/** A section of the save: absent stays, null and empty reset, anything else replaces. */
function replaced<T extends object>(
  stored: T | undefined,
  sent: T | null | undefined,
  normalise: (sent: T) => T | undefined,
): T | undefined {
  if (sent === undefined) return stored;
  return sent === null || Object.keys(sent).length === 0 ? undefined : normalise(sent);
}

const keep = <T extends object>(section: T): T | undefined =>
  nonEmpty<T>(Object.entries(section).filter(([, value]) => value !== undefined));

/** Each kind by itself: absent stays, null is the platform-managed selection, which is stored as none. */
function mergeBindings(
  stored: ComponentCredentialBindings,
  sent: ComponentCredentialBindings = {},
): ComponentCredentialBindings {
  return Object.fromEntries(Object.entries({ ...stored, ...sent }).filter(([, credential]) => credential !== null));
}
