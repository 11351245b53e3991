import type { CarrierFailure } from '../domain/call-state';

/** Sound on its way; `durationMs` is call time. The simulator's carries its words as text, and so does what was typed. */
export interface Audio {
  readonly format: 'simulated' | 'pcm';
  readonly durationMs: number;
  /** Empty where nobody knows the words yet. */
  readonly text: string;
  /** 16,000 a second; absent where there is no sound. */
  readonly samples?: Int16Array;
}

export type CarrierEvent =
  | { readonly type: 'answered' }
  | { readonly type: 'media_started' }
  /** Nothing follows. */
  | { readonly type: 'failed'; readonly reason: CarrierFailure }
  | { readonly type: 'speech_started' }
  | { readonly type: 'speech_ended'; readonly audio: Audio }
  | { readonly type: 'tone' }
  | { readonly type: 'music_started' }
  | { readonly type: 'music_ended' }
  /** The audio of this turn has been heard to its end. */
  | { readonly type: 'played'; readonly turn: number }
  /** The other side has; nothing follows. */
  | { readonly type: 'hung_up' };

/** One dialled call. */
export interface Line {
  /** Plays after what is playing; tells `played`. */
  play(turn: number, audio: Audio): void;
  /** Plays on a track of its own, beside what is playing; nothing is told of it. `sound`: a typing bed until it is stopped. */
  playBeside(audio: Audio | 'sound'): void;
  stopBeside(): void;
  /** Sends keys. */
  press(digits: string): void;
  /** Falls silent at once; no `played` follows. */
  stopPlaying(): void;
  /** Lets the call go; no event follows. Repeating it changes nothing. */
  hangUp(): void;
}

/** The way to the telephone network. */
export interface Carrier {
  dial(
    call: { readonly to: string; readonly from: string },
    clock: CallClock,
    tell: (event: CarrierEvent) => void,
  ): Line;
}

/** Call time: real time, or with the simulator a multiple of it. Milliseconds. */
export interface CallClock {
  now(): number;
  /** Runs once `ms` from now; the result takes it back. */
  after(ms: number, run: () => void): () => void;
}
