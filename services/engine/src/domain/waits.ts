import { limits } from '@parley/contract';

/**
 * The longest that each wait of a call may last, in milliseconds of call time. Where a clock of section 2.6 bounds a wait (no_caller_speech,
 * model_unresponsive, the limits of navigation), that clock does; these bound what no setting does, so that no call is silent without an end.
 */
export const longestWaits = {
  /** From dialling until somebody answers or the carrier gives up. */
  ringing: 120_000,
  /** From the answer until there is anything to hear. */
  media: 10_000,
  /** Speech of which no end is reported: people pause sooner than that. */
  speech: 60_000,
  /** The words of a turn that has ended. */
  transcript: 3_000,
  /** The reply with which the agent opens: the clock of the model does not run before the caller's first turn. */
  opening: 10_000,
  /** Any other reply where the clock of the model is off: the longest that it can be set to. */
  reply: 120_000,
  /** The sound of what the agent says. */
  voice: 10_000,
  /** The end of what is playing, beyond its length. */
  playout: 5_000,
  /** The end of a tool, beyond the longest that a tool may take. */
  tool: limits.toolTimeoutMs.max + 5_000,
} as const;
