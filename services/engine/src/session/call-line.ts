import type { ControlName } from '@parley/contract';
import type { CallInput } from '../core/inputs';

/** Up to when the caller's audio is known, in call time (see `tick` of the core); empty on a line without audio. */
export interface LineWatermarks {
  readonly received?: number;
  readonly voiced?: number;
  /** When audio came last, whether it was judged or not. */
  readonly arrived?: number;
}

export interface CallLineListener {
  input(input: CallInput): void;
  /** More audio was judged: `watermarks` has risen. */
  progressed(): void;
}

/** What depends on the line whether it can be done. */
export type LineControl = Extract<ControlName, 'press' | 'transfer'>;

export interface UtteranceStart {
  readonly utterance: number;
  /** Nothing of it may be played before `release`. */
  readonly held: boolean;
  readonly language: string;
}

/**
 * One call's line as its session drives it: what carries the call, hears the caller and speaks for the agent. It decides nothing: what happens is reported as
 * inputs of the core, and each effect of the core that concerns sound is a method.
 */
export interface CallLine {
  /** Whether it carries sound; else its recording is a simulated one. */
  readonly hasSound: boolean;
  /** What an operator may ask for and this line cannot do. */
  readonly cannot: ReadonlySet<LineControl>;
  /** Places the call, or takes up one that is connected: `answered` and `media_started` follow, or `failed`. */
  open(listener: CallLineListener): void;
  watermarks(): LineWatermarks;

  start(utterance: UtteranceStart): void;
  speak(utterance: number, text: string): void;
  finish(utterance: number): void;
  release(utterance: number): void;
  hold(utterance: number): void;
  stop(utterance: number): void;

  /** A phrase over whatever is said. */
  sayAside(text: string, language: string): void;
  typingSound(): void;
  stopAside(): void;
  press(digits: string): void;

  finalizeTranscript(): void;
  reopenTranscriber(): void;
  setLanguage(language: string): void;
  setMuted(muted: boolean): void;
  setRecording(paused: boolean): void;

  /** Hands over the sound of both sides until it is called with none; absent on a line without sound. */
  listenIn?(take: ((sound: Buffer) => void) | undefined): void;

  /** Lets the call go. Repeating it changes nothing. */
  hangUp(): void;
  /** The call is over: nothing is synthesized, recognised or reported any more. `reason`: for a client that is shown it. */
  end(reason: string, detail?: string): void;
  /** Another process goes on with the call: what was recorded so far is handed in, and the recording stays open. Never rejects. */
  handedOver(): Promise<void>;
  /** What was recorded is handed in; never rejects. Resolves at once where nothing is recorded. */
  recorded(): Promise<void>;
}
