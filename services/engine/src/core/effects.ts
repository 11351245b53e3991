import type { MailboxProof, WorkerJobEvent } from '@parley/contract';
import type { ToolCall } from './inputs';
import type { Shortfall } from './problems';
import type { ConversationTurn } from './transcript';

/** A message for the model. The driver prepends the system prompt. It has the same shape as the messages in `libs/providers`. */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  /** The text of a reply that the line has played, accurate to one word. The current utterance is included in full until it is interrupted. */
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
  /** The turn of a person after which the proof does not count. */
  readonly proofWithdrawnBy: string | null;
}

/** What the driver has to do, in order. Reports are delivered in order; `complete` comes after all of them. */
export type CallEffect =
  | { readonly type: 'report'; readonly event: WorkerJobEvent }
  /** A problem for the record of the call. */
  | { readonly type: 'note'; readonly problem: Shortfall }
  | { readonly type: 'dial' }
  /**
   * Requests a reply from the model. At most one attempt runs at a time, and attempt numbers increase over the call. `retry` is the number of failed attempts
   * at this reply, 0 at first; the driver uses it to choose a fallback. `turnId` is the transcript turn that the reply belongs to.
   */
  | {
      readonly type: 'start_model';
      readonly attempt: number;
      readonly retry: number;
      /** The caller's turn may still continue. Tool calls of the reply do not run before the turn has ended. */
      readonly speculative: boolean;
      readonly turnId: string;
      readonly history: readonly Message[];
      /** False: the limit of tool rounds is reached, so the model has to reply with text. */
      readonly mayCallTools: boolean;
      /** The language in which the model has to reply, if the call follows its caller's. */
      readonly language?: string;
    }
  | { readonly type: 'cancel_model'; readonly attempt: number }
  /** The turn that a speculative attempt answers has ended: output of the attempt need not be held back any more. */
  | { readonly type: 'confirm_model'; readonly attempt: number }
  /** Begins an utterance; at most one at a time. `held`: no audio of it may be played before `release_utterance`. */
  | {
      readonly type: 'start_utterance';
      readonly utterance: number;
      readonly turnId: string;
      readonly held: boolean;
      readonly language: string;
      /** The text passes to the voice as it is. */
      readonly verbatim?: boolean;
    }
  /** Appends text to the utterance; chunks are concatenated without a space. */
  | { readonly type: 'speak'; readonly utterance: number; readonly text: string }
  /** The text of the utterance is complete. */
  | { readonly type: 'finish_utterance'; readonly utterance: number }
  /** Allows the held utterance to be played. */
  | { readonly type: 'release_utterance'; readonly utterance: number }
  /** Holds an utterance of which no audio has been played yet, until `release_utterance` or `stop_utterance`. */
  | { readonly type: 'hold_utterance'; readonly utterance: number }
  /** Clears the line and stops the synthesis. One more `played` may follow. */
  | { readonly type: 'stop_utterance'; readonly utterance: number }
  /** Plays the text on the second track, mixed with speech. It is not part of the agent's turn. */
  | { readonly type: 'say_aside'; readonly text: string }
  | { readonly type: 'typing_sound' }
  | { readonly type: 'stop_aside' }
  /** Sends DTMF keys to a phone menu. */
  | { readonly type: 'press'; readonly digits: string }
  /** Runs a tool once; `tool_ended` follows. */
  | { readonly type: 'call_tool'; readonly turnId: string; readonly call: ToolCall }
  /** The result is no longer needed. Side effects are not undone. */
  | { readonly type: 'cancel_tool'; readonly toolCallId: string }
  /** Requests the final transcript of all audio so far. */
  | { readonly type: 'finalize_transcript' }
  /** Reopens the transcriber. `retry` is the number of consecutive attempts since its last result, 1 at first; the driver uses it to choose a fallback. */
  | { readonly type: 'reopen_transcriber'; readonly retry: number }
  /** Switches the call to this language. */
  | { readonly type: 'set_language'; readonly language: string }
  | { readonly type: 'set_muted'; readonly muted: boolean }
  | { readonly type: 'pause_recording'; readonly reason: RecordingPause }
  | { readonly type: 'resume_recording'; readonly reason: RecordingPause }
  | { readonly type: 'hang_up' }
  /** This worker stops conducting the call: its snapshot is uploaded for the next worker, then the line is released. */
  | { readonly type: 'hand_over' }
  | { readonly type: 'complete'; readonly outcome: CallOutcome }
  /** The lease was lost, or this engine must not conduct the call: no further reports are sent. */
  | { readonly type: 'drop' };
