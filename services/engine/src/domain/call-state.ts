import type { MailboxProof, TranscriptTurn, WorkerJobEvent } from '@parley/contract';
import type { CallPlan } from './call-plan';

/** Where an outbound call is on its way to a person. */
export type Whereabouts = 'nowhere' | 'menu' | 'hold';

/** Menu time and hold time of a call, counted separately (section 2.6, AgentNavigation). */
export interface NavigationState {
  readonly at: Whereabouts;
  readonly since: number;
  readonly menuMs: number;
  readonly holdMs: number;
}

/** What is heard while the agent thinks or a tool runs: on a track of its own, beside what the agent says. */
export interface FeedbackState {
  /** How many acknowledgements this call has heard; they take turns through the phrases. */
  readonly given: number;
  /** Something is on the other track. */
  readonly playing: boolean;
  /** The tool that runs. */
  readonly tool: string | null;
  /** Said to speech that was not recognised, so far. */
  readonly unrecognised: number;
  /** The words at the end were said. */
  readonly farewell: boolean;
}

/** The clock of a reply that is owed: it runs while the line is free, and stands still while anybody speaks or a tool runs. */
export interface OwedReply {
  readonly owed: boolean;
  readonly spentMs: number;
  readonly runningSince: number | null;
}

/** `asking` for the permit, `ringing`, `answered` (no media yet), `talking`, `over`. */
export type Phase = 'asking' | 'ringing' | 'answered' | 'talking' | 'over';

/** Moments at which something happens by itself; at one and the same moment in this order. */
export const deadlineNames = [
  'max_call',
  'ringing',
  'media',
  'no_speech',
  'hold_limit',
  'navigation_limit',
  'non_human',
  'model_unresponsive',
  'reply',
  'tool',
  'voice',
  'playout',
  'speech',
  'interruption',
  'end_of_turn',
  'transcript_wait',
  'acknowledgement',
  'tool_wait',
  'tool_sound',
  'opening',
] as const;
export type DeadlineName = (typeof deadlineNames)[number];

export interface AgentActivity {
  readonly doing: 'nothing' | 'thinking' | 'speaking';
  /** Counts what the agent set out to do; an answer to an earlier one is stale. */
  readonly turn: number;
  /** The call ends when this has been said. */
  readonly endsCall: boolean;
  /** What it was about to say, or was saying, was cut short. */
  readonly cut: boolean;
}

export interface CallerActivity {
  /** When the speech under way began. */
  readonly speakingSince: number | null;
  /** When the turn under way began. */
  readonly turnSince: number | null;
  /** When the last speech of the turn ended. */
  readonly silentSince: number;
  /** Speech that the transcriber has not given back yet. */
  readonly untranscribed: number;
  /** Something was said in the turn that the transcriber did not give back. */
  readonly lost: boolean;
  /** What was recognised in the turn so far. */
  readonly texts: readonly string[];
  /** The silence that ends the turn is over, its text is still to come. */
  readonly turnDue: boolean;
  /** Spoke over the agent for long enough; the words are still to come. */
  readonly interruptionDue: boolean;
}

/** What answer detection goes by. */
export interface Evidence {
  readonly speech: boolean;
  readonly music: boolean;
  /** Words recognised before the first tone. */
  readonly words: number;
  /** Words that had been recognised when a record beep was heard; null without one. */
  readonly wordsBeforeTone: number | null;
  /** A turn held the instruction of a mailbox. */
  readonly instruction: boolean;
}

/** A call, whole. Times are milliseconds of call time on one axis that the driver chooses. */
export interface CallState {
  readonly plan: CallPlan;
  readonly phase: Phase;
  readonly answeredAt: number | null;
  readonly canceled: boolean;
  /** The agent has said, or begun to say, how it opens. */
  readonly opened: boolean;
  readonly agent: AgentActivity;
  readonly caller: CallerActivity;
  readonly deadlines: Readonly<Partial<Record<DeadlineName, number>>>;
  readonly evidence: Evidence;
  readonly navigation: NavigationState;
  readonly feedback: FeedbackState;
  readonly reply: OwedReply;
  readonly transcript: readonly TranscriptTurn[];
}

/** Why a carrier did not get through, or lost the call. */
export type CarrierFailure = 'busy' | 'no_answer' | 'carrier_failure';

/** What happens to a call. */
export type CallInput =
  /** The platform acknowledged `dialing`. */
  | { readonly type: 'permitted' }
  /** It answered that this call is not to be dialled any more. */
  | { readonly type: 'refused' }
  | { readonly type: 'answered' }
  | { readonly type: 'media_started' }
  /** The carrier never got through, or lost an answered call: `busy`, `no_answer`, `carrier_failure`. */
  | { readonly type: 'failed'; readonly reason: CarrierFailure }
  | { readonly type: 'speech_started' }
  | { readonly type: 'speech_ended' }
  | { readonly type: 'transcribed'; readonly text: string }
  /** The transcriber failed: what was said is not known. */
  | { readonly type: 'transcript_lost' }
  | { readonly type: 'tone' }
  | { readonly type: 'music_started' }
  | { readonly type: 'music_ended' }
  | { readonly type: 'caller_hung_up' }
  | {
      readonly type: 'replied';
      readonly turn: number;
      readonly text: string;
      readonly endsCall: boolean;
      readonly press?: string;
    }
  /** The model uses a tool in this turn; its reply comes after the tool's end. */
  | { readonly type: 'tool_started'; readonly turn: number; readonly tool: string }
  | { readonly type: 'tool_ended'; readonly turn: number }
  | { readonly type: 'reply_failed'; readonly turn: number }
  /** What the agent says in this turn has become sound, which plays for so long. */
  | { readonly type: 'voiced'; readonly turn: number; readonly durationMs: number }
  /** What the agent had to say in this turn has been heard. */
  | { readonly type: 'spoken'; readonly turn: number }
  | { readonly type: 'cancel_requested' }
  | { readonly type: 'lease_lost' }
  | { readonly type: 'tick' };

/** What is to be done. Reports are delivered in order; `complete` comes after all of them. */
export type CallAction =
  | { readonly type: 'report'; readonly event: WorkerJobEvent }
  | { readonly type: 'dial' }
  | { readonly type: 'speak'; readonly turn: number; readonly text: string }
  | { readonly type: 'stop_speaking' }
  /** On a track of its own, not part of what the agent says. */
  | { readonly type: 'say_beside'; readonly text: string }
  | { readonly type: 'typing_sound' }
  | { readonly type: 'stop_beside' }
  /** Keys for a phone menu. */
  | { readonly type: 'press'; readonly digits: string }
  | { readonly type: 'think'; readonly turn: number; readonly said: readonly TranscriptTurn[] }
  | { readonly type: 'hang_up' }
  | { readonly type: 'complete'; readonly outcome: CallOutcome }
  /** The lease is lost: nothing may be written any more. */
  | { readonly type: 'drop' };

/** What is told at completion. Empty strings: answer detection is off or had nothing to judge. */
export interface CallOutcome {
  /** Null when the call was never answered. */
  readonly transcript: readonly TranscriptTurn[] | null;
  readonly classification: string;
  readonly classificationDetail: string;
  /** What proved a mailbox; null for anything else. */
  readonly mailboxProof: MailboxProof | null;
}

export interface Step {
  readonly state: CallState;
  readonly actions: readonly CallAction[];
}
