import { limits } from '@parley/contract';

/**
 * The longest that each wait of a call may last, in milliseconds of call time. Where a clock of docs/reference/tuning.md bounds a wait (no_caller_speech,
 * model_unresponsive, the limits of navigation), that clock does; these bound what no setting does, so that no call is silent without an end.
 */
export const longestWaits = {
  /** From dialling until somebody answers or the carrier gives up. */
  ringing: 120_000,
  /** From the answer until there is anything to hear. */
  media: 10_000,
  /** A line from which no audio comes, silence neither. */
  line: 10_000,
  /** Speech of which no end is reported: people pause sooner than that. */
  speech: 60_000,
  /** The same where the line reports the last voice: so long nothing was heard. */
  voice: 10_000,
  /** The final transcript, from the detector's end of speech. */
  transcript: 3_000,
  /** A transcriber that failed and does not listen again. */
  transcriber: 10_000,
  /** The reply with which the agent opens: the clock of the model does not run before the caller's first turn. */
  opening: 10_000,
  /** Any other reply where the clock of the model is off: the longest that it can be set to. */
  reply: 120_000,
  /** The next piece of a reply that has begun. */
  stall: 10_000,
  /** The first sound of what the agent says. */
  firstAudio: 10_000,
  /** Progress of what is playing. */
  playout: 5_000,
  /** The end of a tool, beyond the longest that a tool may take. */
  tool: limits.toolTimeoutMs.max + 5_000,
  /** The next key. */
  keys: 2_000,
} as const;

/** How often the same reply is asked for, the first time included. */
export const mostAttempts = 3;
/** How often one reply is given to the voice, the first time included. */
export const mostVoices = 2;
/** How often in a row the transcriber is opened again. */
export const mostReopenings = 3;
/** Rounds of tools that one turn of the caller may lead to; after them the model replies without tools. */
export const mostToolRounds = 8;
/** A voice that is heard for less is a noise, unless it has words. */
export const leastHeardMs = 200;
/** From this probability on a turn hint judges the caller to have finished. */
export const finishedFrom = 0.5;
