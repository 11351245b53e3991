/**
 * The inputs of the core. All times are milliseconds of call time, the single time axis of a call that `at` of a step also uses. The driver converts media time
 * (the audio received by the line) to call time: a sample gets the earliest time at which it can have been received, so audio that arrives late and in a burst
 * keeps its original times.
 */

import type { KeyRules } from './plan';

/** Why a call was not connected, or was lost. */
export type CarrierFailure = 'busy' | 'no_answer' | 'declined' | 'carrier_failure';

/** A tool call exactly as the model wrote it. `arguments` is JSON text that may be invalid. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Why a conversation got no answer: the answer was empty, a content filter refused it, or the provider did for another reason. */
export type Refusal = 'empty' | 'filtered' | 'invalid';

/** How a tool ended. `transferred`: the call was transferred and ends for this agent. */
export type ToolOutcome = 'succeeded' | 'failed' | 'timed_out' | 'transferred';

/** Events of the call from the platform and the carrier. */
export type LineInput =
  /** The platform acknowledged `dialing`. */
  | { readonly type: 'permitted' }
  /** The platform responded that this call must not be dialed any more. */
  | { readonly type: 'refused' }
  | { readonly type: 'answered' }
  /** Media is available. `received` is the first watermark (see `tick`); null on a line without audio (text), on which no rule waits for audio. */
  | { readonly type: 'media_started'; readonly received: number | null }
  | {
      readonly type: 'failed';
      readonly reason: CarrierFailure | 'no_caller_speech_after_answer';
      /** The `reason_detail` of the end. */
      readonly detail?: 'too_much_unread';
    }
  /** The other party hung up. */
  | { readonly type: 'hung_up' }
  | { readonly type: 'cancel_requested' }
  | { readonly type: 'lease_lost' }
  /** Another process is to take over the call. `atOnce`: without waiting for the current utterance. */
  | { readonly type: 'hand_over'; readonly atOnce: boolean }
  /**
   * Time has passed. `received`: all of the caller's audio up to this time was received. `voiced`: the time of the last voice in the current speech (at most
   * `received`, only during speech). `arrived`: when audio last arrived, analyzed or not. None of them ever decreases; an absent one is unchanged. The driver
   * sends a tick at `nextDeadline()` with the current watermarks, and when audio arrives that reaches `awaitedAudio()`.
   */
  | { readonly type: 'tick'; readonly received?: number; readonly voiced?: number; readonly arrived?: number };

/** Events of the other party. */
export type CallerInput =
  /** Voice activity began at `since`. It is reported with the delay of the detector. */
  | { readonly type: 'speech_started'; readonly since: number }
  /** Voice activity ended at `lastVoice`; reported about 250 ms later. */
  | { readonly type: 'speech_ended'; readonly lastVoice: number }
  | { readonly type: 'music_started' }
  | { readonly type: 'music_ended' }
  /** A single tone such as the record tone of a mailbox has ended, and silence follows. */
  | { readonly type: 'beep' }
  /** Tones of the network or of a fax machine. Call progress: a tone that repeats, or lies at 400 to 450 Hz. Not in service: the three tones before an announcement. */
  | { readonly type: 'tone'; readonly tone: 'call_progress' | 'not_in_service' | 'fax' }
  /** DTMF keys, one or more of 0-9 * #, each reported once. */
  | { readonly type: 'pressed'; readonly digits: string }
  /** A complete typed turn: it needs no silence and no transcript. */
  | { readonly type: 'typed'; readonly text: string };

/**
 * Segment numbers increase over the whole call, even if the transcriber was reopened. `judged`: the turn detector's probability, 0 to 1, that the caller has
 * finished with the words of the turn up to this result. Absent: the detector knows nothing of them.
 */
export type TranscriberInput =
  /** The text recognized so far for a segment. It replaces the previous partial. */
  | { readonly type: 'partial'; readonly segment: number; readonly text: string; readonly judged?: number }
  /**
   * The only final result of a segment. An empty text means that the segment had no words. An empty final is also the response to `finalize_transcript` if no
   * segment was pending.
   */
  | {
      readonly type: 'final';
      readonly segment: number;
      readonly text: string;
      readonly language?: string;
      readonly judged?: number;
    }
  /**
   * The transcriber produces no results until it is reopened, and words in progress are lost. `retry`: reopening it, or using another transcriber, may help. A
   * transcriber that failed for a single request reports this too, followed immediately by `transcriber_opened`.
   */
  | { readonly type: 'transcriber_failed'; readonly retry: boolean }
  /** The transcriber works again. */
  | { readonly type: 'transcriber_opened' }
  /** The transcriber's own probability, 0 to 1, that the caller has finished. It counts more than the turn detector's, until the caller speaks again. */
  | { readonly type: 'turn_hint'; readonly finished: number };

/** Events of a canceled attempt are ignored. */
export type ModelInput =
  | { readonly type: 'model_delta'; readonly attempt: number; readonly text: string }
  | { readonly type: 'model_tool_call'; readonly attempt: number; readonly call: ToolCall }
  /** The reply is complete, so its tool calls run now. Only a finish reason from the provider is evidence of that. */
  | {
      readonly type: 'model_done';
      readonly attempt: number;
      /** How keys that answer this reply are collected. Absent: as the agent is set. */
      readonly keys?: KeyRules;
    }
  /** `retry`: the same request may succeed with another credential or provider. */
  | {
      readonly type: 'model_failed';
      readonly attempt: number;
      readonly retry: boolean;
      /** No provider answered this conversation, although all work. */
      readonly refused?: Refusal;
    }
  | {
      readonly type: 'tool_ended';
      readonly toolCallId: string;
      readonly outcome: ToolOutcome;
      /** The result for the model: JSON or text. */
      readonly result: string;
    };

/** The core numbers utterances. Events of a stopped utterance are ignored, except its last `played`. */
export type SpeechInput =
  /** The first audio of an utterance is available, whether it is played or held. */
  | { readonly type: 'speech_audio'; readonly utterance: number }
  /** All audio of the utterance was synthesized, `durationMs` in total. Comes after `finish_utterance`. */
  | { readonly type: 'speech_done'; readonly utterance: number; readonly durationMs: number }
  /** `refused`: the voice does not speak this text, and another request would not help. */
  | { readonly type: 'speech_failed'; readonly utterance: number; readonly refused?: boolean }
  /**
   * Playback progress: `ms` of audio, and the text before `offset` (in UTF-16 units of the utterance's text). The offset is computed from the times of words if
   * the voice reports them, otherwise from the played share of the audio.
   */
  | { readonly type: 'played'; readonly utterance: number; readonly offset: number; readonly ms: number }
  /** All audio of the utterance was played. */
  | { readonly type: 'playout_finished'; readonly utterance: number };

/** Commands of an operator for a call in progress. */
export type ControlInput =
  /** Said verbatim as soon as the line is free. */
  | { readonly type: 'control_say'; readonly text: string }
  | { readonly type: 'control_press'; readonly digits: string }
  /** A muted agent continues, but its audio is not played. */
  | { readonly type: 'control_mute'; readonly muted: boolean }
  | { readonly type: 'control_record'; readonly paused: boolean }
  /** An operator's transfer is in progress for at most `ms` from now on. 0: it has ended, and the caller stays with the agent. */
  | { readonly type: 'control_transferring'; readonly ms: number }
  /** The other party has put the call on hold, or has taken it back. */
  | { readonly type: 'control_held'; readonly held: boolean }
  /** The call was handed over to another party. */
  | { readonly type: 'control_transferred' }
  | { readonly type: 'control_hang_up' };

/** An event of a call. */
export type CallInput = LineInput | CallerInput | TranscriberInput | ModelInput | SpeechInput | ControlInput;
