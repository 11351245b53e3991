import type { Blocker, Publication, VoiceStackConfiguration, VoiceStackProjection } from '@parley/contract';
import { componentBlockers, credentialBlockers, languageBlockers } from './blockers';
import type { Catalogue } from './catalogue';
import { sharedTranscriber } from './follow-caller';
import { effectiveProfile, languagesOf, overridesOf, primaryLanguage } from './profiles';
import { project } from './projection';
import { publicationOf } from './publication';
import { runsTheStack, type Resolved } from './resolved';
import { resolveStack } from './stack';

export interface Compilation {
  /** If empty, `publication` can be stored and used. */
  readonly blockers: readonly Blocker[];
  readonly publication: Publication;
  readonly projection: VoiceStackProjection;
  /** Empty if the engine ignores language settings (`has_language_axis` is false). */
  readonly publishedLanguages: readonly string[];
  /** Micro-USD per minute of call. */
  readonly costMicrosPerMinute: number;
}

/**
 * Compiles a configuration against the catalogue. Pure, without clock or randomness, so that equal input results in equal bytes. An agent in an external mode
 * provides the conversation itself, so its stack never blocks it.
 */
export function compile(configuration: VoiceStackConfiguration, catalogue: Catalogue): Compilation {
  const stack = resolveStack(configuration, catalogue);
  const locales = languagesOf(configuration, stack, catalogue);
  const overrides = overridesOf(configuration);
  const inherited: Resolved = {
    configuration,
    catalogue,
    stack,
    profiles: locales.map((locale) => effectiveProfile(locale, overrides, stack, catalogue)),
    primaryLanguage: primaryLanguage(configuration, catalogue),
  };
  const follow = followCaller(inherited);
  const resolved = follow.resolved;
  const blockers = runsTheStack(resolved)
    ? [
        ...componentBlockers(stack, inherited.profiles),
        ...languageBlockers(stack, inherited.profiles, follow.blocker === undefined && resolved === inherited),
        ...(follow.blocker === undefined ? [] : [follow.blocker]),
        ...credentialBlockers(configuration, stack, resolved.profiles, catalogue),
      ]
    : [];
  const projection = project(resolved, blockers);
  return {
    blockers,
    publication: publicationOf(resolved),
    projection,
    publishedLanguages: locales,
    costMicrosPerMinute: projection.cost.total ?? 0,
  };
}

/** With follow_caller, one shared transcriber is used for all languages; otherwise the profiles remain unchanged. */
function followCaller(resolved: Resolved): { resolved: Resolved; blocker?: Blocker } {
  const { configuration, stack, profiles } = resolved;
  const follows = configuration.follow_caller?.enabled === true && runsTheStack(resolved);
  if (!follows || stack.transcriber.found === undefined) return { resolved };
  const { chosen, blocker } = sharedTranscriber(profiles, stack);
  if (chosen === undefined) return { resolved, blocker };
  return { resolved: { ...resolved, profiles: profiles.map((profile) => ({ ...profile, transcriber: chosen })) } };
}
