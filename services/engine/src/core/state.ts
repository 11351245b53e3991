import type { CallEffect, RecordingPause } from './effects';
import type { ToolCall } from './inputs';
import type { CallPlan } from './plan';
import type { ResumedCall } from './resume';
import type { ConversationTurn } from './transcript';

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
  'playout',
  'tool',
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

/** The watermarks of the caller's audio; null on a line without audio. */
export interface Watermarks {
  readonly received: number | null;
  /** The last voice of the current speech; null if the line does not report it. */
  readonly voiced: number | null;
}

/** A transcript segment in the caller's turn. */
export interface Segment {
  readonly segment: number;
  readonly text: string;
  readonly final: boolean;
}

/** The caller's current turn. */
export interface CallerState {
  /** When the current speech began. */
  readonly speakingSince: number | null;
  /** When the turn began; null: there is none. */
  readonly turnSince: number | null;
  /** Set when its first words arrive. */
  readonly turnId: string | null;
  readonly lastVoice: number;
  /** The speech has ended, but its final transcript is pending. */
  readonly untranscribed: boolean;
  /** When the silence was long enough to end the turn while its text was still pending. */
  readonly due: number | null;
  /** Words of the turn were lost because of a failure. */
  readonly lost: boolean;
  /** The caller has spoken over the agent long enough to interrupt; words are still pending. */
  readonly interruptionDue: boolean;
  readonly segments: readonly Segment[];
  /** Segments up to this one belong to closed turns. */
  readonly closedSegment: number;
  /** When the last final transcript arrived. */
  readonly finalAt: number | null;
  /** The last turn hint in the current pause. */
  readonly finished: number | null;
  /** Keys being collected. */
  readonly digits: string;
}

/** What the agent intends to say: the output of a model attempt, or a verbatim text (`attempt` is null). It exists until all of it was played. */
export interface Reply {
  readonly attempt: number | null;
  /** The number of earlier failed attempts at this reply. */
  readonly retry: number;
  readonly turnId: string;
  readonly startedAt: number;
  /** The caller's turn may still continue. */
  readonly speculative: boolean;
  /** The caller's words that the reply answers, normalized for comparison. */
  readonly answers: string;
  readonly text: string;
  /** How much of the text was passed to the voice. */
  readonly spoken: number;
  readonly firstDeltaAt: number | null;
  readonly toolCalls: readonly ToolCall[];
  /** The text is complete. */
  readonly complete: boolean;
  /** Whether its tools were started. */
  readonly toolsCalled: boolean;
  /** Whether the model has to be requested again with the tool results. */
  readonly followUp: boolean;
  /** Whether the call ends after this reply. */
  readonly endsCall: boolean;
  /** The recording announcement: it cannot be interrupted, and the recording starts after it. */
  readonly announces: boolean;
  /** The caller's speech stopped the reply, but no words were recognized so far. It resumes if that was noise. */
  readonly suspended: boolean;
  /** The caller said something while the reply was stopped, and no more of it has been heard since. */
  readonly unanswered: boolean;
  /** How often the voice failed in this reply. */
  readonly voiceFailures: number;
}

/** The current utterance: the part of the reply that was passed to the voice. */
export interface Utterance {
  readonly utterance: number;
  readonly turnId: string;
  /** Its offset in the text of the reply. */
  readonly from: number;
  readonly text: string;
  /** The text is complete. */
  readonly finished: boolean;
  /** Held: it must not be played yet. */
  readonly held: boolean;
  readonly startedAt: number;
  /** When its first audio became available. */
  readonly audioAt: number | null;
  /** When its first audio could be played. */
  readonly heardAt: number | null;
  /** The total duration; null until all of it was synthesized. */
  readonly durationMs: number | null;
  /** How much of the text was played. */
  readonly offset: number;
}

/** The utterance that was stopped last. Its final mark may still arrive. */
export interface StoppedUtterance {
  readonly utterance: number;
  readonly turnId: string;
  readonly text: string;
  readonly from: number;
}

/** When the caller's last turn ended. */
export interface TurnEnd {
  readonly lastVoice: number;
  /** When the silence was long enough to end the turn. */
  readonly holdOverAt: number;
  readonly endedAt: number;
}

/** A running tool. */
export interface RunningTool {
  readonly call: ToolCall;
  readonly turnId: string;
  readonly since: number;
}

/** The inputs of answer detection. */
export interface Evidence {
  /** Whether the other party was heard: a voice without music, or words. */
  readonly speech: boolean;
  readonly music: boolean;
  /** Words recognized before the first tone. */
  readonly words: number;
  /** Words recognized before the record beep; null if there was none. */
  readonly wordsBeforeTone: number | null;
  /** Whether a turn contained a mailbox instruction. */
  readonly instruction: boolean;
}

/** The second track: phrases and sounds that are played while the agent thinks or a tool runs. */
export interface FeedbackState {
  /** How many phrases were played in this call. They are used in rotation. */
  readonly given: number;
  readonly playing: boolean;
  /** How many times a phrase asked the caller to repeat unrecognized speech. */
  readonly unrecognised: number;
  /** Whether the closing text was said. */
  readonly farewell: boolean;
}

/** The deadline of the owed reply. It runs while the line is free, and pauses while anyone speaks or a tool runs. */
export interface OwedReply {
  readonly owed: boolean;
  readonly spentMs: number;
  readonly runningSince: number | null;
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
  /** Whether music is playing. */
  readonly music: boolean;
  readonly muted: boolean;
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
  /** Whether another process takes over as soon as nothing would be lost. */
  readonly handsOver: boolean;
  /** The state from which the call resumes; null if it began in this process. */
  readonly resumed: ResumedCall | null;
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
