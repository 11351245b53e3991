import type { MailboxProof, WorkerJobEvent } from '@parley/contract';
import type { ToolCall } from './inputs';
import type { ConversationTurn } from './transcript';

/** A message for the model, without the system prompt, which the driver puts first. The shape is that of the providers' messages. */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  /** What the line played of a reply, to one word; what is being said counts in full until it is interrupted. */
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly text: string };

/** Why a recording pauses, or has not begun. Several can hold at once: it goes on when none does. */
export type RecordingPause = 'keys' | 'control' | 'announcement';

/** What is reported at completion. Empty strings: answer detection is off or had nothing to judge. */
export interface CallOutcome {
  /** Null when the call was never answered. */
  readonly transcript: readonly ConversationTurn[] | null;
  readonly classification: string;
  readonly classificationDetail: string;
  /** What proved a mailbox; null for anything else. */
  readonly mailboxProof: MailboxProof | null;
}

/** What is to be done, in order. Reports are delivered in order; `complete` comes after all of them. */
export type CallEffect =
  | { readonly type: 'report'; readonly event: WorkerJobEvent }
  | { readonly type: 'dial' }
  /**
   * Ask the model. At most one attempt runs at a time; numbers go up over the call. `retry`: how many attempts at this same reply failed before (0 at first), by
   * which the driver picks a fallback. The turn is that of the transcript which the reply answers.
   */
  | {
      readonly type: 'start_model';
      readonly attempt: number;
      readonly retry: number;
      /** The caller's turn may still go on. Tools that it calls are not run before the turn has ended. */
      readonly speculative: boolean;
      readonly turnId: string;
      readonly history: readonly Message[];
      /** False: so many rounds of tools went before that it has to reply in words. */
      readonly mayCallTools: boolean;
    }
  | { readonly type: 'cancel_model'; readonly attempt: number }
  /** A speculative attempt answers a turn that has ended: nothing of it is held back any more. */
  | { readonly type: 'confirm_model'; readonly attempt: number }
  /** An utterance begins; `held`: nothing of it may be played before `release_utterance`. At most one at a time. */
  | {
      readonly type: 'start_utterance';
      readonly utterance: number;
      readonly turnId: string;
      readonly held: boolean;
      readonly language: string;
    }
  /** More of its text, in order; pieces join without a space. */
  | { readonly type: 'speak'; readonly utterance: number; readonly text: string }
  /** No more text of it follows. */
  | { readonly type: 'finish_utterance'; readonly utterance: number }
  /** Play what was held. */
  | { readonly type: 'release_utterance'; readonly utterance: number }
  /** Nothing of it has been heard yet: keep it back until `release_utterance` or `stop_utterance`. */
  | { readonly type: 'hold_utterance'; readonly utterance: number }
  /** Clear the line and end the synthesis. A last `played` may follow. */
  | { readonly type: 'stop_utterance'; readonly utterance: number }
  /** On the second track, over whatever is said; not part of what the agent says. */
  | { readonly type: 'say_aside'; readonly text: string }
  | { readonly type: 'typing_sound' }
  | { readonly type: 'stop_aside' }
  /** Keys for a phone menu. */
  | { readonly type: 'press'; readonly digits: string }
  /** Run a tool, once. `tool_ended` follows. */
  | { readonly type: 'call_tool'; readonly turnId: string; readonly call: ToolCall }
  /** Its result is not awaited any more; what it has done stays done. */
  | { readonly type: 'cancel_tool'; readonly toolCallId: string }
  /** Ask for the final transcript of all audio so far. */
  | { readonly type: 'finalize_transcript' }
  /** Open the transcriber again; `retry`: how often this was tried since it last gave anything (1 at first), by which the driver picks a fallback. */
  | { readonly type: 'reopen_transcriber'; readonly retry: number }
  /** The language in which the call goes on. */
  | { readonly type: 'set_language'; readonly language: string }
  | { readonly type: 'set_muted'; readonly muted: boolean }
  | { readonly type: 'pause_recording'; readonly reason: RecordingPause }
  | { readonly type: 'resume_recording'; readonly reason: RecordingPause }
  | { readonly type: 'hang_up' }
  /** Nothing more happens here: what another process goes on from is handed in, then the line is let go. */
  | { readonly type: 'hand_over' }
  | { readonly type: 'complete'; readonly outcome: CallOutcome }
  /** The lease is lost, or this engine must not conduct the call: it sends no more reports. */
  | { readonly type: 'drop' };
