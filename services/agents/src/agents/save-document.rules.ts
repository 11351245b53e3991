import type { AgentVoiceStackUpdate, ComponentCredentialBindings } from '@parley/contract';
import { conflict } from '@parley/errors';
import type { AgentDocument } from './agent-document.rules';
import { firstMessageOf } from './aliases.rules';
import { cleared } from './update-document.rules';
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
import { checkExpectedTools } from './tools.rules';
import { answerDetectionAfter, nonEmpty, normaliseVoicePolish } from './tuning.rules';

/**
 * Merges a voice-stack save into the stored document (docs/reference/voice-stack.md). A section in the save replaces the stored one completely; an absent
 * section stays, an empty object or null resets it (except navigation, docs/reference/tuning.md). The bound credentials and the tools have been checked before.
 */
export function saveDocument(agent: StoredAgent, sent: AgentVoiceStackUpdate, hasAxis: LanguageAxis): AgentDocument {
  const stored = agent.document;
  const body = withoutReadBack(agent, sent);
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
  // Conflicts are reported only if the body is otherwise valid (docs/reference/requests.md).
  checkLanguageProfileRevision(agent, body.language_profile_revision);
  checkExpectedTools(stored.tools, body);
  return document;
}

/** @throws 409 if the save was based on languages that are no longer the stored ones (docs/reference/voice-stack.md) */
function checkLanguageProfileRevision(
  { languageProfileRevision: current }: StoredAgent,
  sent: number | undefined,
): void {
  if (sent !== undefined && sent !== current)
    throw conflict(`language_profile_revision is stale: the current one is ${current}`);
}

/** A section after the save: an absent one stays, null or an empty object resets it, anything else replaces it. */
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

/** Merges each kind separately: an absent one stays; null selects the platform's credentials and is stored as absent. */
function mergeBindings(
  stored: ComponentCredentialBindings,
  sent: ComponentCredentialBindings = {},
): ComponentCredentialBindings {
  return Object.fromEntries(Object.entries({ ...stored, ...sent }).filter(([, credential]) => credential !== null));
}
