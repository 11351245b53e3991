import type { Blocker } from '@parley/contract';
import { followedBy, type TranscriberModel } from './catalogue';
import { covers } from './language';
import type { EffectiveProfile } from './profiles';
import { componentKey, type Chosen, type Stack } from './stack';

/**
 * The transcriber that can recognize all languages at the same time: the shared one, otherwise one of a profile (docs/reference/agents.md and
 * docs/reference/voice-stack.md#languages). Returns the transcriber, or a blocker if there is none.
 */
export function sharedTranscriber(
  profiles: readonly EffectiveProfile[],
  stack: Stack,
): { chosen?: Chosen<TranscriberModel>; blocker?: Blocker } {
  const candidates = distinct([stack.transcriber, ...profiles.map((profile) => profile.transcriber)]);
  const covering = candidates.filter((candidate) =>
    profiles.every(
      (profile) => candidate.found !== undefined && covers(followedBy(candidate.found.entry), profile.locale),
    ),
  );
  const chosen = covering.find((candidate) => (candidate.found?.entry.candidate_limit ?? 0) >= profiles.length);
  if (chosen !== undefined) return { chosen };
  const nearest = covering[0];
  if (nearest !== undefined) {
    return {
      blocker: {
        code: 'candidate_limit',
        scope: 'transcriber',
        detail: `${componentKey(nearest.selection)} can recognize ${nearest.found?.entry.candidate_limit ?? 0} languages at the same time, but ${profiles.length} are selected`,
      },
    };
  }
  return {
    blocker: {
      code: 'shared_transcriber_missing',
      scope: 'transcriber',
      detail: 'no transcriber of this stack can recognize all selected languages',
    },
  };
}

function distinct(chosen: readonly Chosen<TranscriberModel>[]): Chosen<TranscriberModel>[] {
  return [...new Map(chosen.map((candidate) => [componentKey(candidate.selection), candidate])).values()];
}
