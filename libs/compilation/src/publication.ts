import type { Publication } from '@parley/contract';
import type { Resolved } from './resolved';
import type { Chosen, ChosenVoice } from './stack';

/**
 * The content of a publication: everything that a worker needs to conduct a call, with all defaults resolved, but without secrets and credential bindings. The
 * SHA-256 is computed from its canonical JSON, so a new field changes every hash: increment `version` when adding one.
 */
export function publicationOf({ configuration, stack, profiles, primaryLanguage }: Resolved): Publication {
  const follow = configuration.follow_caller ?? undefined;
  const follows = follow?.enabled === true && profiles.length > 0;
  return {
    version: 1,
    voice_frontend: configuration.voice_frontend,
    language: primaryLanguage,
    languages: profiles.map((profile) => profile.locale),
    profiles: profiles.map((profile) => ({
      locale: profile.locale,
      greeting: profile.greeting ?? null,
      transcriber: withoutFallbacks(profile.transcriber.selection),
      voice: { ...withoutFallbacks(profile.voice.selection), voice_id: profile.voice.voiceId },
    })),
    starting_language: follows ? primaryLanguage : null,
    follow_caller: follows ? { enabled: true, scope: follow.scope ?? 'selected' } : null,
    system_prompt: configuration.system_prompt,
    first_message: configuration.first_message,
    transcriber: selectionOf(stack.transcriber.selection),
    model: selectionOf(stack.model.selection),
    voice: {
      ...withVoiceId(stack.voice),
      // Omitted if empty, so that agents without fallbacks keep their hashes.
      ...(stack.fallbacks.voice.length > 0 && { fallbacks: stack.fallbacks.voice.map(withVoiceId) }),
    },
    tools: configuration.tools,
    translation: configuration.translation,
    // Omitted instead of null, so that agents without variables keep their hashes.
    ...(configuration.variables ? { variables: configuration.variables } : {}),
  };
}

function withVoiceId(voice: ChosenVoice): Publication['voice'] {
  const selection = withoutFallbacks(voice.selection);
  return voice.voiceId === '' ? selection : { ...selection, voice_id: voice.voiceId };
}

type Selection = Chosen<unknown>['selection'];

function selectionOf({ fallbacks = [], ...selection }: Selection) {
  return fallbacks.length === 0 ? selection : { ...selection, fallbacks: [...fallbacks] };
}

/** Components of a profile have no fallbacks; those of shared components are listed with the shared component. */
function withoutFallbacks({ fallbacks: _shared, ...selection }: Selection): Omit<Selection, 'fallbacks'> {
  return selection;
}
