import type { ControlName } from '@parley/contract';
import type { CallInput } from '../core/inputs';

/** The time up to which the caller's audio is known, in call time (see `tick` of the core); empty on a line without audio. */
export interface LineWatermarks {
  readonly received?: number;
  readonly voiced?: number;
  /** When audio last arrived, analyzed or not. */
  readonly arrived?: number;
}

export interface CallLineListener {
  input(input: CallInput): void;
  /** More audio was analyzed, so `watermarks` has increased. */
  progressed(): void;
}

/** Actions that not every line supports. */
export type LineControl = Extract<ControlName, 'press' | 'transfer'>;

export interface UtteranceStart {
  readonly utterance: number;
  /** Whether it must not be played before `release`. */
  readonly held: boolean;
  readonly language: string;
  /** The text passes to the voice as it is. */
  readonly verbatim?: boolean;
}

/**
 * One call's line as its session uses it: connects the call, reports what the caller says, and speaks for the agent. It makes no decisions: events are reported
 * as inputs of the core, and there is a method for each audio effect of the core.
 */
export interface CallLine {
  /** Whether it carries audio; otherwise the recording is simulated. */
  readonly hasSound: boolean;
  /** Operator commands that this line does not support. */
  readonly cannot: ReadonlySet<LineControl>;
  /** Places the call, or takes over a connected one. `answered` and `media_started` follow, or `failed`. */
  open(listener: CallLineListener): void;
  watermarks(): LineWatermarks;

  start(utterance: UtteranceStart): void;
  speak(utterance: number, text: string): void;
  finish(utterance: number): void;
  release(utterance: number): void;
  hold(utterance: number): void;
  stop(utterance: number): void;

  /** Plays a phrase on the second track. */
  sayAside(text: string, language: string): void;
  typingSound(): void;
  stopAside(): void;
  press(digits: string): void;

  finalizeTranscript(): void;
  reopenTranscriber(): void;
  setLanguage(language: string): void;
  setMuted(muted: boolean): void;
  setRecording(paused: boolean): void;

  /** Delivers the audio of both sides until called with undefined; absent on a line without audio. */
  listenIn?(take: ((sound: Buffer) => void) | undefined): void;

  /** Releases the call. Idempotent. */
  hangUp(): void;
  /** The call is over: nothing more is synthesized, recognized or reported. @param reason shown by clients that display it */
  end(reason: string, detail?: string): void;
  /** Another process takes over: uploads the recording so far, which stays open. Never rejects. */
  handedOver(): Promise<void>;
  /** Uploads the recording. Never rejects; resolves immediately if nothing is recorded. */
  recorded(): Promise<void>;
}
