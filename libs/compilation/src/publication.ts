import type { Publication } from '@parley/contract';
import type { Resolved } from './resolved';
import type { Chosen, ChosenVoice } from './stack';

/**
 * The content of a publication: what a worker needs to conduct a call, every default resolved, no secret and no binding.
 * Its canonical JSON is what the sha256 is taken over, so a new field changes every hash: raise `version` with it.
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
      // Absent rather than empty, so that agents without them keep their hashes.
      ...(stack.fallbacks.voice.length > 0 && { fallbacks: stack.fallbacks.voice.map(withVoiceId) }),
    },
    tools: configuration.tools,
    translation: configuration.translation,
    // Absent rather than null, so that agents without variables keep their hashes.
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

/** A profile's own components have none; what is shared has them at its own place. */
function withoutFallbacks({ fallbacks: _shared, ...selection }: Selection): Omit<Selection, 'fallbacks'> {
  return selection;
}
