import type { MailboxProof, WorkerJobEvent } from '@parley/contract';
import type { ToolCall } from './inputs';
import type { ConversationTurn } from './transcript';

/** A message for the model, without the system prompt, which the driver prepends. It has the same shape as the providers' messages. */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  /** What the line played of a reply, accurate to one word; the current utterance counts in full until it is interrupted. */
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly text: string };

/** Why a recording is paused, or has not begun. Several reasons can apply at once: it resumes when none is left. */
export type RecordingPause = 'keys' | 'control' | 'announcement';

/** Reported at completion. Empty strings: answer detection is off or had no input. */
export interface CallOutcome {
  /** Null when the call was never answered. */
  readonly transcript: readonly ConversationTurn[] | null;
  readonly classification: string;
  readonly classificationDetail: string;
  /** The evidence of a mailbox; null for any other result. */
  readonly mailboxProof: MailboxProof | null;
}

/** What the driver has to do, in order. Reports are delivered in order; `complete` comes after all of them. */
export type CallEffect =
  | { readonly type: 'report'; readonly event: WorkerJobEvent }
  | { readonly type: 'dial' }
  /**
   * Request a reply from the model. At most one attempt runs at a time; attempt numbers increase over the call. `retry`: how many attempts at this reply failed
   * before (0 at first), by which the driver picks a fallback. `turn` is the transcript turn that the reply answers.
   */
  | {
      readonly type: 'start_model';
      readonly attempt: number;
      readonly retry: number;
      /** The caller's turn may still continue. Tool calls of the reply do not run before the turn has ended. */
      readonly speculative: boolean;
      readonly turnId: string;
      readonly history: readonly Message[];
      /** False: the limit of tool rounds is reached, so the model has to reply in words. */
      readonly mayCallTools: boolean;
    }
  | { readonly type: 'cancel_model'; readonly attempt: number }
  /** The turn that a speculative attempt answers has ended: its output is no longer held back. */
  | { readonly type: 'confirm_model'; readonly attempt: number }
  /** An utterance begins; `held`: no audio of it may be played before `release_utterance`. At most one at a time. */
  | {
      readonly type: 'start_utterance';
      readonly utterance: number;
      readonly turnId: string;
      readonly held: boolean;
      readonly language: string;
    }
  /** Appends text to the utterance; chunks are concatenated without a space. */
  | { readonly type: 'speak'; readonly utterance: number; readonly text: string }
  /** The text of the utterance is complete. */
  | { readonly type: 'finish_utterance'; readonly utterance: number }
  /** Play the held utterance. */
  | { readonly type: 'release_utterance'; readonly utterance: number }
  /** No audio of it was heard yet: hold it until `release_utterance` or `stop_utterance`. */
  | { readonly type: 'hold_utterance'; readonly utterance: number }
  /** Clear the line and stop the synthesis. A last `played` may follow. */
  | { readonly type: 'stop_utterance'; readonly utterance: number }
  /** Played on the second track, mixed with speech; not part of what the agent says. */
  | { readonly type: 'say_aside'; readonly text: string }
  | { readonly type: 'typing_sound' }
  | { readonly type: 'stop_aside' }
  /** DTMF keys for a phone menu. */
  | { readonly type: 'press'; readonly digits: string }
  /** Run a tool once. `tool_ended` follows. */
  | { readonly type: 'call_tool'; readonly turnId: string; readonly call: ToolCall }
  /** Its result is no longer needed; side effects are not undone. */
  | { readonly type: 'cancel_tool'; readonly toolCallId: string }
  /** Request the final transcript of all audio so far. */
  | { readonly type: 'finalize_transcript' }
  /** Reopen the transcriber; `retry`: consecutive attempts since its last result (1 at first), by which the driver picks a fallback. */
  | { readonly type: 'reopen_transcriber'; readonly retry: number }
  /** Switch the call to this language. */
  | { readonly type: 'set_language'; readonly language: string }
  | { readonly type: 'set_muted'; readonly muted: boolean }
  | { readonly type: 'pause_recording'; readonly reason: RecordingPause }
  | { readonly type: 'resume_recording'; readonly reason: RecordingPause }
  | { readonly type: 'hang_up' }
  /** This worker is done with the call: its snapshot is handed in for the next worker, then the line is released. */
  | { readonly type: 'hand_over' }
  | { readonly type: 'complete'; readonly outcome: CallOutcome }
  /** The lease is lost, or this engine must not conduct the call: it sends no further reports. */
  | { readonly type: 'drop' };
