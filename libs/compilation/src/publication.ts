import type { Publication } from '@parley/contract';
import type { Resolved } from './resolved';
import type { ChosenVoice } from './stack';

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
      transcriber: profile.transcriber.selection,
      voice: { ...profile.voice.selection, voice_id: profile.voice.voiceId },
    })),
    starting_language: follows ? primaryLanguage : null,
    follow_caller: follows ? { enabled: true, scope: follow.scope ?? 'selected' } : null,
    system_prompt: configuration.system_prompt,
    first_message: configuration.first_message,
    transcriber: stack.transcriber.selection,
    model: stack.model.selection,
    voice: withVoiceId(stack.voice),
    tools: configuration.tools,
    translation: configuration.translation,
    // Absent rather than null, so that agents without variables keep their hashes.
    ...(configuration.variables ? { variables: configuration.variables } : {}),
  };
}

function withVoiceId(voice: ChosenVoice): Publication['voice'] {
  return voice.voiceId === '' ? { ...voice.selection } : { ...voice.selection, voice_id: voice.voiceId };
}
