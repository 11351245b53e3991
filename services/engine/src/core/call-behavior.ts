import type { EffectiveAcknowledgements, EffectiveToolWait, EffectiveTuning } from '@parley/contract';

/** How a call is conducted in addition to the turns themselves (docs/reference/tuning.md); milliseconds of call time, null where something is off. */
export interface CallBehavior {
  /** Said before the agent hangs up; empty: nothing. */
  readonly endPhrase: string;
  /** Said while the reply is awaited, at most once a turn. */
  readonly acknowledgement: { readonly delayMs: number; readonly phrases: readonly string[] } | null;
  readonly toolWait: ToolWait | null;
  /** Said, word for word, to speech that was not recognised. */
  readonly unrecognised: { readonly most: number; readonly phrase: string } | null;
  /** Free line time that a model may take for a reply; null: for ever. */
  readonly modelUnresponsiveMs: number | null;
  /** Phone menus and hold queues; null: this call does not navigate. */
  readonly navigation: { readonly maxMenuMs: number; readonly maxHoldMs: number } | null;
}

export interface ToolWait {
  readonly mode: 'acknowledge' | 'sound';
  readonly delayMs: number;
  readonly phrases: readonly string[];
  /** The longest that the sound plays. */
  readonly soundMs: number;
  /** Nothing is heard while these run. */
  readonly silentTools: readonly string[];
}

/** Nothing but the turns. */
export const plainBehavior: CallBehavior = {
  endPhrase: '',
  acknowledgement: null,
  toolWait: null,
  unrecognised: null,
  modelUnresponsiveMs: null,
  navigation: null,
};

const secondMs = 1000;

/** From the effective values of a claimed job. */
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
  // A language without a list stays silent.
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
