import { limits } from '@parley/contract';

/**
 * The maximum duration of each wait in a call, in milliseconds of call time. Some waits are limited by settings of docs/reference/tuning.md (no_caller_speech,
 * model_unresponsive, the limits of navigation). These constants limit the others, so that no call hangs in silence.
 */
export const longestWaits = {
  /** From dialing until someone answers or the carrier gives up. */
  ringing: 120_000,
  /** From the answer until media is available. */
  media: 10_000,
  /** A line that delivers no audio at all, not even silence. */
  line: 20_000,
  /** Speech whose end is not reported: people pause sooner than that. */
  speech: 60_000,
  /** The same on a line that reports the last voice: the time without detected voice. */
  voice: 10_000,
  /** The final transcript, measured from the detector's end of speech. */
  transcript: 3_000,
  /** A failed transcriber that was not reopened. */
  transcriber: 10_000,
  /** The first reply: the limit of the model does not apply before the caller's first turn. */
  opening: 10_000,
  /** Any other reply if the limit of the model is off: the maximum value of that setting. */
  reply: 120_000,
  /** The next chunk of a reply that has begun. */
  stall: 10_000,
  /** The first audio of an utterance. */
  firstAudio: 10_000,
  /** A voice that fails, until the agent is audible again. */
  voiceless: 30_000,
  /** Playback without progress. */
  playout: 5_000,
  /** The end of a tool: more than the maximum timeout of a tool. */
  tool: limits.toolTimeoutMs.max + 5_000,
  /** The outcome of a transfer that an operator requested, including the longest announcement to the other party. */
  transfer: 240_000,
  /** The beep of a mailbox that has asked for a message. */
  beep: 15_000,
} as const;

/** The maximum number of requests for the same reply, including the first. */
export const mostAttempts = 3;
/** The number of times that one reply is passed to the voice without a pause, including the first. */
export const mostVoices = 2;
/** The pause after that, which doubles each time up to the longest one. */
export const voicePauseMs = 2_000;
export const longestVoicePauseMs = 8_000;
/** The maximum number of times in a call that the agent says that it cannot answer. */
export const mostApologies = 3;
/** The maximum number of consecutive times that the transcriber is reopened. */
export const mostReopenings = 3;
/** The maximum number of tool rounds per turn of the caller. After them the model replies without tools. */
export const mostToolRounds = 8;
/** A shorter voice is considered noise, unless words were recognized. */
export const leastHeardMs = 200;
/** The probability from which on a turn hint indicates that the caller has finished. */
export const finishedFrom = 0.5;
