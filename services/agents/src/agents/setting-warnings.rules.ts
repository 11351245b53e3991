import { foldLanguage, templateNames, unreadPlaceholders, type VoiceStackProjection } from '@parley/contract';
import type { AgentDocument } from './agent-document.rules';

/** Warnings from the compilation of the stack and about stored settings without effect, as `code: text`. */
export function warningsOf(document: AgentDocument, { warnings }: Pick<VoiceStackProjection, 'warnings'>): string[] {
  const asksForWords = (document.turn_taking?.min_interruption_words ?? 0) > 0;
  return [
    ...warnings.filter((warning) => asksForWords || !warning.startsWith('slow_words:')),
    ...idleProfiles(document),
    ...translationWithoutTarget(document),
    ...undeclaredVariables(document),
    ...unreadNames(document),
  ];
}

/** Profiles of languages that are not selected. Empty if follow_caller applies to all languages, because then none has to be selected. */
function idleProfiles({ languages, language_profiles: profiles, follow_caller: follow }: AgentDocument): string[] {
  if (languages === undefined || follow?.scope === 'all') return [];
  const selected = new Set(languages.map(foldLanguage));
  return profiles
    .filter(({ locale }) => !selected.has(foldLanguage(locale)))
    .map(({ locale }) => `profile_without_effect: ${locale} is not one of languages`);
}

function translationWithoutTarget({ translation }: AgentDocument): string[] {
  if (translation?.enabled !== true || translation.target_language !== undefined) return [];
  return ['translation_target_missing: translation is enabled without a target_language; nothing is translated'];
}

/** Names in {{ }} that are not declared. Without a value in the call, they are replaced by empty text. */
function undeclaredVariables(document: AgentDocument): string[] {
  const declared = new Set(document.variables?.variables.map(({ name }) => name));
  return spokenTexts(document).flatMap(([field, text]) =>
    templateNames(text)
      .filter((name) => !declared.has(name))
      .map((name) => `variable_undeclared: ${field} uses ${name}, which is not declared`),
  );
}

/** What stands in {{ }} and is no name of a variable. It is spoken with its braces. */
const unreadNames = (document: AgentDocument): string[] =>
  spokenTexts(document).flatMap(([field, text]) =>
    unreadPlaceholders(text).map(
      (written) =>
        `placeholder_unread: ${field} contains ${written.slice(0, 80)}; a name has letters A to Z, digits and _ only`,
    ),
  );

/** Every text that may contain variables, with the name of its field. */
function spokenTexts(document: AgentDocument): readonly (readonly [string, string])[] {
  const { voice_polish: polish, answer_detection: detection } = document;
  const texts: readonly (readonly [string, string | undefined])[] = [
    ['system_prompt', document.system_prompt],
    ['first_message', document.first_message],
    ...document.language_profiles.map(
      ({ locale, greeting }) => [`language_profiles.${locale}.greeting`, greeting] as const,
    ),
    ['voice_polish.end_of_call_phrase', polish?.end_of_call_phrase],
    ['voice_polish.unrecognised_speech.phrase', polish?.unrecognised_speech?.phrase],
    ...listed('voice_polish.acknowledgements.phrases', polish?.acknowledgements?.phrases),
    ...listed('voice_polish.tool_wait.phrases', polish?.tool_wait?.phrases),
    ...Object.entries(detection?.voicemail_messages ?? {}).map(
      ([language, text]) => [`answer_detection.voicemail_messages.${language}`, text] as const,
    ),
  ];
  return texts.flatMap(([field, text]) => (text === undefined ? [] : [[field, text] as const]));
}

const listed = (field: string, phrases: readonly string[] = []) =>
  phrases.map((phrase, index) => [`${field}[${index}]`, phrase] as const);
