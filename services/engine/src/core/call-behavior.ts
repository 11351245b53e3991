import type { EffectiveAcknowledgements, EffectiveToolWait, EffectiveTuning } from '@parley/contract';

/** Call behavior beyond turn-taking (docs/reference/tuning.md); milliseconds of call time, null if a feature is off. */
export interface CallBehavior {
  /** Said before the agent hangs up; empty for none. */
  readonly endPhrase: string;
  /** Said while waiting for the reply, at most once per turn. */
  readonly acknowledgement: { readonly delayMs: number; readonly phrases: readonly string[] } | null;
  readonly toolWait: ToolWait | null;
  /** Said verbatim in response to speech that was not recognized. */
  readonly unrecognised: { readonly most: number; readonly phrase: string } | null;
  /** How long the model may take to reply while the line is free; null for no limit. */
  readonly modelUnresponsiveMs: number | null;
  /** Phone menus and hold queues; null: this call does not navigate. */
  readonly navigation: { readonly maxMenuMs: number; readonly maxHoldMs: number } | null;
}

export interface ToolWait {
  readonly mode: 'acknowledge' | 'sound';
  readonly delayMs: number;
  readonly phrases: readonly string[];
  /** The maximum duration of the sound. */
  readonly soundMs: number;
  /** Silent while one of these tools runs. */
  readonly silentTools: readonly string[];
}

const secondMs = 1000;

/** Derives the behavior from the effective values of a claimed job. */
export function toCallBehavior(
  { voice_polish: polish, navigation }: EffectiveTuning,
  followsCaller: boolean,
): CallBehavior {
  const { unrecognised_speech: unrecognised } = polish;
  const { seconds } = polish.model_unresponsive;
  return {
    endPhrase: polish.end_of_call_phrase ?? '',
    acknowledgement: acknowledgementOf(polish.acknowledgements),
    toolWait: toolWaitOf(polish.tool_wait),
    unrecognised:
      unrecognised.enabled && unrecognised.phrase !== null && unrecognised.phrase !== '' && !followsCaller
        ? { most: unrecognised.max_per_call, phrase: unrecognised.phrase }
        : null,
    modelUnresponsiveMs: seconds === 0 ? null : seconds * secondMs,
    navigation: navigation.active
      ? {
          maxMenuMs: navigation.max_navigation_seconds * secondMs,
          maxHoldMs: navigation.max_hold_seconds * secondMs,
        }
      : null,
  };
}

function acknowledgementOf(section: EffectiveAcknowledgements): CallBehavior['acknowledgement'] {
  const { enabled, delay_ms: delayMs, phrases } = section;
  // If the language has no list of phrases, none is played.
  return enabled && phrases.length > 0 ? { delayMs, phrases } : null;
}

function toolWaitOf(section: EffectiveToolWait): ToolWait | null {
  const { mode } = section;
  if (mode === 'off') return null;
  return {
    mode,
    delayMs: section.delay_ms,
    phrases: section.phrases,
    soundMs: section.sound_seconds * secondMs,
    silentTools: section.silent_tools,
  };
}
