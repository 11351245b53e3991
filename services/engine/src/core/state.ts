import type { MailboxProof } from '@parley/contract';
import type { CallEffect, RecordingPause } from './effects';
import type { ToolCall } from './inputs';
import type { CallPlan, KeyRules } from './plan';
import type { ConversationTurn, TurnToolCall } from './transcript';
import type { CallerState, Reply, RunningTool, StoppedUtterance, TurnEnd, Utterance, Watermarks } from './turn-state';

/** Deadlines: times at which the core acts without an input. Simultaneous ones are handled in this order. */
export const deadlineNames = [
  'max_call',
  'ringing',
  'media',
  'line',
  'heard',
  'no_speech',
  'transfer',
  'hold_limit',
  'navigation_limit',
  'non_human',
  'model_unresponsive',
  'first_delta',
  'stall',
  'first_audio',
  'voice',
  'playout',
  'tool',
  'beep',
  'transcriber',
  'speech',
  'interruption',
  'end_of_turn',
  'transcript',
  'keys',
  'acknowledgement',
  'tool_wait',
  'tool_sound',
  'opening',
] as const;
export type DeadlineName = (typeof deadlineNames)[number];

/** `asking`: waiting for the permit. `ringing`. `answered`: no media yet. `talking`. `over`. */
export type Phase = 'asking' | 'ringing' | 'answered' | 'talking' | 'over';

/** Where an outbound call is on its way to a person. */
export type Whereabouts = 'nowhere' | 'menu' | 'hold';

/** Menu time and hold time of a call, measured separately (docs/reference/tuning.md, AgentNavigation). */
export interface NavigationState {
  readonly at: Whereabouts;
  readonly since: number;
  readonly menuMs: number;
  readonly holdMs: number;
}

/** The inputs of answer detection. */
export interface Evidence {
  /** Whether the other party was heard: a voice without music, or words. */
  readonly speech: boolean;
  readonly music: boolean;
  /** False after a menu or queue, until a person speaks. */
  readonly person?: boolean;
  /** Words recognized so far. */
  readonly words: number;
  /** The evidence that a machine answered, and since when; null: there is none. */
  readonly machine: { readonly kind: MachineKind; readonly at: number } | null;
  /** The turn of a person after which this evidence does not count; null: it counts. */
  readonly withdrawnBy: string | null;
}

/** What shows that a machine answered. */
export type MachineKind = MailboxProof | 'call_screening' | 'not_in_service' | 'fax';

/** The second track: phrases and sounds that are played while the agent thinks or a tool runs. */
export interface FeedbackState {
  /** How many phrases were played in this call. They are used in rotation. */
  readonly given: number;
  readonly playing: boolean;
  /** How many times a phrase asked the caller to repeat unrecognized speech. */
  readonly unrecognised: number;
  /** How many times the agent said that it cannot answer. */
  readonly apologies: number;
  /** Whether the closing text was said. */
  readonly farewell: boolean;
}

/** The deadline of the owed reply. It runs while the line is free, and pauses while anyone speaks or a tool runs. */
export interface OwedReply {
  readonly owed: boolean;
  readonly spentMs: number;
  readonly runningSince: number | null;
}

/**
 * The data that another process needs to continue a call, in addition to transcript and plan, which the platform has. Plain JSON. Keys that are being collected
 * are excluded, because they may be a card number.
 */
export interface CallSnapshot {
  readonly form: number;
  readonly opened: boolean;
  readonly announced: boolean;
  readonly language: string;
  readonly muted: boolean;
  /** An operator paused the recording. */
  readonly recordingPaused: boolean;
  readonly ending: CallState['ending'];
  readonly toSay: readonly string[];
  readonly toolRounds: number;
  readonly counts: CallState['counts'];
  readonly evidence: Evidence;
  readonly navigation: { readonly at: Whereabouts; readonly menuMs: number; readonly holdMs: number };
  readonly feedback: Omit<FeedbackState, 'playing'>;
  /** Turns that the model refused. */
  readonly refused: readonly string[];
  /** Whether the caller is waiting for a reply, or the model for a tool result. */
  readonly owed: boolean;
  /** How much text of the agent's current turn was heard. */
  readonly cut: { readonly turnId: string; readonly heard: number } | null;
  /** Text of the agent that has not been heard yet. */
  readonly rest: string;
  /** Whether the call ends after this text. */
  readonly endsCall: boolean;
  /** Tools that are running. */
  readonly tools: readonly { readonly call: ToolCall; readonly turnId: string }[];
  readonly unknownTools: readonly string[];
  readonly voicemail?: string | null;
  readonly held?: boolean;
  /** How long the transfer in progress may still take; 0: there is none. */
  readonly transferMs?: number;
  /** The recognized text of the caller's current turn. */
  readonly said: string;
}

/** A tool that the previous process started. */
export interface BegunTool {
  readonly id: string;
  readonly name: string;
  /** Undefined if it is unknown whether it ran. */
  readonly ended: Pick<TurnToolCall, 'outcome' | 'result'> | undefined;
}

/** The state of a call whose previous process was lost or released it. */
export interface ResumedCall {
  /** Time from the answer until this process took over. */
  readonly elapsedMs: number;
  readonly transcript: readonly ConversationTurn[];
  /** Undefined if this release cannot read its format. */
  readonly snapshot: CallSnapshot | undefined;
  readonly begunTools: readonly BegunTool[];
  /** Model attempts are numbered from here on. Tool call ids contain the number of the attempt, and a tool call with the same id runs only once per call. */
  readonly attemptsFrom: number;
}

/** The whole state of a call; plain JSON. Times are milliseconds of call time. */
export interface CallState {
  readonly plan: CallPlan;
  readonly phase: Phase;
  /** The time of the last step. */
  readonly now: number;
  readonly answeredAt: number | null;
  readonly canceled: boolean;
  /** The agent has begun its opening. */
  readonly opened: boolean;
  /** Whether the recording was announced, or no announcement is required. */
  readonly announced: boolean;
  readonly language: string;
  /** The other language of the last final text, which is not evident yet; null: there is none. */
  readonly heardLanguage: string | null;
  /** Whether music is playing. */
  readonly music: boolean;
  readonly muted: boolean;
  /** While the other party keeps the call on hold: what is left of the wait for its first speech, in milliseconds; otherwise null. */
  readonly held: number | null;
  readonly recordingPauses: readonly RecordingPause[];
  readonly watermarks: Watermarks;
  readonly deadlines: Readonly<Partial<Record<DeadlineName, number>>>;
  readonly caller: CallerState;
  readonly reply: Reply | null;
  readonly utterance: Utterance | null;
  readonly stopped: StoppedUtterance | null;
  /** The end of the turn that the reply answers; null if there is none, or if its latency was already recorded. */
  readonly turnEnd: TurnEnd | null;
  readonly tools: readonly RunningTool[];
  /** Rounds of tools since the caller's last turn. */
  readonly toolRounds: number;
  /** Texts that operators have queued. */
  readonly toSay: readonly string[];
  /** Since when the voice has failed and nothing of the agent was audible; null: it works. */
  readonly voicelessSince: number | null;
  /** How many consecutive times the transcriber was reopened since its last result. */
  readonly reopenings: number;
  /** Whether a transcriber is open. */
  readonly listening: boolean;
  /** The call ends with this reason after the current speech, whatever the caller does; null: it continues. */
  readonly ending: 'spend_cap' | null;
  /** Counters for attempts, utterances and turns. */
  readonly counts: { readonly attempts: number; readonly utterances: number; readonly turns: number };
  readonly evidence: Evidence;
  readonly navigation: NavigationState;
  readonly feedback: FeedbackState;
  readonly owed: OwedReply;
  /** Tools whose outcome is unknown after a hand-over. None of them runs again until the caller has said something. */
  readonly unknownTools: readonly string[];
  /** The message for a mailbox that is said after its beep; null: none waits. */
  readonly voicemail: string | null;
  /** Turns that a model refused: later requests do not contain them. */
  readonly refused: readonly string[];
  /** Whether another process takes over as soon as nothing would be lost. */
  readonly handsOver: boolean;
  /** The state from which the call resumes; null if it began in this process. */
  readonly resumed: ResumedCall | null;
  /** How keys that answer the agent's last question are collected; null: as the agent is set. */
  readonly keys: KeyRules | null;
  readonly transcript: readonly ConversationTurn[];
}

export interface Step {
  readonly state: CallState;
  readonly effects: readonly CallEffect[];
}

/** The activity shown to clients: whether the agent listens, thinks or speaks. */
export function activityOf({ reply, utterance, tools }: CallState): 'listening' | 'thinking' | 'speaking' {
  if (utterance !== null && !utterance.held) return 'speaking';
  return (reply !== null && !reply.speculative) || tools.length > 0 ? 'thinking' : 'listening';
}
