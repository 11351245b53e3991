import type { NavigationIneligibleReason } from '@parley/contract';
import { runsTheStack, type Resolved } from './resolved';
import { baseLanguage, covers } from './language';
import { componentKey } from './stack';

/**
 * Why the stack cannot navigate phone menus, in the order of docs/reference/tuning.md; null if it can. Reasons that concern the agent itself (turned_off,
 * tool_name_conflict, tool_budget) are added by the agents service.
 */
export function navigationIneligibility(resolved: Resolved): NavigationIneligibleReason | null {
  const { configuration, catalogue, profiles, primaryLanguage } = resolved;
  if (!catalogue.navigation.released) return 'not_released';
  const engine = catalogue.conversation_engines[configuration.voice_frontend];
  if (!engine.supports_navigation || !runsTheStack(resolved)) return 'engine_not_supported';
  const released = (language: string): boolean => catalogue.navigation.languages.includes(baseLanguage(language));
  if (!profiles.every((profile) => released(profile.locale))) return 'languages_unreleased';
  const heard = profiles.every(
    ({ transcriber, locale }) => transcriber.found !== undefined && covers(transcriber.found.entry.languages, locale),
  );
  if (!heard) return 'languages_uncovered';
  if (connections(resolved) > catalogue.navigation.max_transcriber_connections) return 'too_many_sockets';
  // An agent without a selected language speaks the platform's default language, and navigates in it.
  return primaryLanguage === '' ? 'no_language' : null;
}

/** How many transcriber connections are needed to recognize all languages. */
function connections({ profiles }: Resolved): number {
  const languages = new Map<string, { count: number; limit: number }>();
  for (const { transcriber } of profiles) {
    const key = componentKey(transcriber.selection);
    const limit = transcriber.found?.entry.candidate_limit ?? 1;
    languages.set(key, { count: (languages.get(key)?.count ?? 0) + 1, limit });
  }
  return [...languages.values()].reduce((sum, { count, limit }) => sum + Math.ceil(count / limit), 0);
}
