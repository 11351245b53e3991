import type { ControlName } from '@parley/contract';
import type { CallInput } from '../core/inputs';

/** How far the caller's audio is known, in call time (see `tick` of the core); empty on a line without audio. */
export interface LineWatermarks {
  readonly received?: number;
  readonly voiced?: number;
  /** When audio last arrived, analysed or not. */
  readonly arrived?: number;
}

export interface CallLineListener {
  input(input: CallInput): void;
  /** More audio was analysed: `watermarks` has increased. */
  progressed(): void;
}

/** Actions that not every line supports. */
export type LineControl = Extract<ControlName, 'press' | 'transfer'>;

export interface UtteranceStart {
  readonly utterance: number;
  /** It may not be played before `release`. */
  readonly held: boolean;
  readonly language: string;
}

/**
 * One call's line as its session uses it: it carries the call, hears the caller and speaks for the agent. It makes no decisions: events are reported as inputs
 * of the core, and each audio effect of the core is a method.
 */
export interface CallLine {
  /** Whether it carries audio; otherwise its recording is simulated. */
  readonly hasSound: boolean;
  /** Operator commands that this line does not support. */
  readonly cannot: ReadonlySet<LineControl>;
  /** Places the call, or adopts a connected one: `answered` and `media_started` follow, or `failed`. */
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
  /** The call is over: nothing further is synthesized, recognised or reported. `reason`: for a client that displays it. */
  end(reason: string, detail?: string): void;
  /** Another process takes over: the recording so far is handed in and stays open. Never rejects. */
  handedOver(): Promise<void>;
  /** Hands in the recording; never rejects. Resolves at once if nothing is recorded. */
  recorded(): Promise<void>;
}
