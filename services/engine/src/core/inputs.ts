/**
 * What the core is given. All times are milliseconds of call time: one axis for the whole call, on which `at` of a step lies too. Media time (audio
 * received by the line) is mapped onto it by the driver: the moment of a sample is the earliest moment at which it can have been received, so audio that
 * arrives late and at once keeps its own moments.
 */

/** Why a call was not connected, or was lost. */
export type CarrierFailure = 'busy' | 'no_answer' | 'declined' | 'carrier_failure';

/** A tool that the model asks for, as it wrote it. `arguments` is JSON text that may be invalid. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** How a tool ended. `transferred`: somebody else has the call now, which ends for this agent. */
export type ToolOutcome = 'succeeded' | 'failed' | 'timed_out' | 'transferred';

/** The call as the platform and the carrier see it. */
export type LineInput =
  /** The platform acknowledged `dialing`. */
  | { readonly type: 'permitted' }
  /** It answered that this call is not to be dialled any more. */
  | { readonly type: 'refused' }
  | { readonly type: 'answered' }
  /**
   * There is something to hear. `received` is the first watermark (see `tick`), null on a line that carries no audio (text): then no rule waits for
   * audio.
   */
  | { readonly type: 'media_started'; readonly received: number | null }
  | { readonly type: 'failed'; readonly reason: CarrierFailure | 'no_caller_speech_after_answer' }
  /** The other party hung up. */
  | { readonly type: 'hung_up' }
  | { readonly type: 'cancel_requested' }
  | { readonly type: 'lease_lost' }
  /** Another process is to go on with the call. `atOnce`: whatever is being said. */
  | { readonly type: 'hand_over'; readonly atOnce: boolean }
  /** The call has cost what it may cost: it says goodbye and ends with `spend_cap`. */
  /**
   * Time has passed. `received`: all of the caller's audio up to this moment was received. `voiced`: the last voice in the speech that is under way
   * (at most `received`; only while speech is under way). `arrived`: when audio came last, judged or not. None ever goes back; absent: unchanged. To be fed at `nextDeadline()` with the present
   * watermarks, and when audio arrives that reaches `awaitedAudio()`.
   */
  | { readonly type: 'tick'; readonly received?: number; readonly voiced?: number; readonly arrived?: number };

/** What the other party does. */
export type CallerInput =
  /** Voice activity began at `since`; it takes the detector some time to be sure. */
  | { readonly type: 'speech_started'; readonly since: number }
  /** Voice activity ended at `lastVoice`; reported about 250 ms later. */
  | { readonly type: 'speech_ended'; readonly lastVoice: number }
  | { readonly type: 'music_started' }
  | { readonly type: 'music_ended' }
  /** The record tone of a mailbox ended. */
  | { readonly type: 'beep' }
  /** Keys, one or more of 0-9 * #, each once. */
  | { readonly type: 'pressed'; readonly digits: string }
  /** A whole turn that was typed: it needs no silence and no transcript. */
  | { readonly type: 'typed'; readonly text: string };

/** Segments are numbered upwards over the whole call, also over a transcriber that was opened again. */
export type TranscriberInput =
  /** What is recognised of a segment so far; replaces the partial before. */
  | { readonly type: 'partial'; readonly segment: number; readonly text: string }
  /** The only final of a segment. Empty text: the segment had no words. An empty final also answers `finalize_transcript` where nothing was outstanding. */
  | { readonly type: 'final'; readonly segment: number; readonly text: string; readonly language?: string }
  /**
   * The transcriber gives nothing more until it is opened again; words under way are lost. `retry`: opening it again, or another, may help. A transcriber
   * that failed for one request alone reports this too, and `transcriber_opened` at once.
   */
  | { readonly type: 'transcriber_failed'; readonly retry: boolean }
  /** It listens again. */
  | { readonly type: 'transcriber_opened' }
  /** Probability, 0 to 1, that the caller has nothing to add. It counts until the caller speaks again. */
  | { readonly type: 'turn_hint'; readonly finished: number };

/** An attempt that is no longer wanted is ignored, whatever comes of it. */
export type ModelInput =
  | { readonly type: 'model_delta'; readonly attempt: number; readonly text: string }
  | { readonly type: 'model_tool_call'; readonly attempt: number; readonly call: ToolCall }
  /** The reply is complete; tools that it called run now. Only a finish reason of the provider proves this. */
  | { readonly type: 'model_done'; readonly attempt: number }
  /** `retry`: the same request may succeed with another credential or provider. */
  | { readonly type: 'model_failed'; readonly attempt: number; readonly retry: boolean }
  | {
      readonly type: 'tool_ended';
      readonly toolCallId: string;
      readonly outcome: ToolOutcome;
      /** What the model is given: JSON text or words. */
      readonly result: string;
    };

/** Utterances are numbered by the core; what comes of one that was stopped is ignored, except its last `played`. */
export type SpeechInput =
  /** The first sound of an utterance exists, heard or held. */
  | { readonly type: 'speech_audio'; readonly utterance: number }
  /** Everything of it is sound now, `durationMs` in all. Comes after `finish_utterance`. */
  | { readonly type: 'speech_done'; readonly utterance: number; readonly durationMs: number }
  | { readonly type: 'speech_failed'; readonly utterance: number }
  /** Played so far: `ms` of sound, and the text before `offset` (UTF-16 units of the utterance's text; by word times where the voice gives them, else by share). */
  | { readonly type: 'played'; readonly utterance: number; readonly offset: number; readonly ms: number }
  /** Everything of it has played. */
  | { readonly type: 'playout_finished'; readonly utterance: number };

/** What an operator does to a call in progress. */
export type ControlInput =
  /** Said word for word as soon as the line is free. */
  | { readonly type: 'control_say'; readonly text: string }
  | { readonly type: 'control_press'; readonly digits: string }
  /** A muted agent goes on, unheard. */
  | { readonly type: 'control_mute'; readonly muted: boolean }
  | { readonly type: 'control_record'; readonly paused: boolean }
  /** The call was handed to somebody else. */
  | { readonly type: 'control_transferred' }
  | { readonly type: 'control_hang_up' };

/** What happens to a call. */
export type CallInput = LineInput | CallerInput | TranscriberInput | ModelInput | SpeechInput | ControlInput;
