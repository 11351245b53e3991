import { limits } from '@parley/contract';

/**
 * The maximum duration of each wait in a call, in milliseconds of call time. Where a clock of docs/reference/tuning.md bounds a wait (no_caller_speech,
 * model_unresponsive, the limits of navigation), that clock applies; these bound the waits without a setting, so that no call hangs in silence.
 */
export const longestWaits = {
  /** From dialling until someone answers or the carrier gives up. */
  ringing: 120_000,
  /** From the answer until media is available. */
  media: 10_000,
  /** A line that delivers no audio at all, not even silence. */
  line: 10_000,
  /** Speech without a reported end: people pause sooner than that. */
  speech: 60_000,
  /** The same on a line that reports the last voice: how long no voice was detected. */
  voice: 10_000,
  /** The final transcript, measured from the detector's end of speech. */
  transcript: 3_000,
  /** A failed transcriber that has not been reopened. */
  transcriber: 10_000,
  /** The opening reply: the model's clock does not run before the caller's first turn. */
  opening: 10_000,
  /** Any other reply if the model's clock is off: the maximum that the clock can be set to. */
  reply: 120_000,
  /** The next chunk of a reply that has begun. */
  stall: 10_000,
  /** The first audio of an utterance. */
  firstAudio: 10_000,
  /** Playback progress. */
  playout: 5_000,
  /** The end of a tool, beyond the maximum tool timeout. */
  tool: limits.toolTimeoutMs.max + 5_000,
  /** The next key. */
  keys: 2_000,
} as const;

/** How often the same reply is requested, including the first attempt. */
export const mostAttempts = 3;
/** How often one reply is passed to the voice, including the first attempt. */
export const mostVoices = 2;
/** How often in a row the transcriber is reopened. */
export const mostReopenings = 3;
/** Tool rounds per turn of the caller; after them the model replies without tools. */
export const mostToolRounds = 8;
/** A shorter voice is noise, unless it has words. */
export const leastHeardMs = 200;
/** The probability from which a turn hint indicates that the caller has finished. */
export const finishedFrom = 0.5;
