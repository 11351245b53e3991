import type { CallEffect, RecordingPause } from './effects';
import type { ToolCall } from './inputs';
import type { CallPlan } from './plan';
import type { ResumedCall } from './resume';
import type { ConversationTurn } from './transcript';

/** Moments at which something happens by itself; at one and the same moment in this order. */
export const deadlineNames = [
  'max_call',
  'ringing',
  'media',
  'line',
  'heard',
  'no_speech',
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

/** `asking` for the permit, `ringing`, `answered` (no media yet), `talking`, `over`. */
export type Phase = 'asking' | 'ringing' | 'answered' | 'talking' | 'over';

/** Where an outbound call is on its way to a person. */
export type Whereabouts = 'nowhere' | 'menu' | 'hold';

/** Menu time and hold time of a call, counted separately (docs/reference/tuning.md, AgentNavigation). */
export interface NavigationState {
  readonly at: Whereabouts;
  readonly since: number;
  readonly menuMs: number;
  readonly holdMs: number;
}

/** What of the caller's audio is known; null on a line without audio. */
export interface Watermarks {
  readonly received: number | null;
  /** The last voice of the speech under way; null where the line does not report it. */
  readonly voiced: number | null;
}

/** A segment of the transcriber in the caller's turn. */
export interface Segment {
  readonly segment: number;
  readonly text: string;
  readonly final: boolean;
}

/** The caller's turn under way. */
export interface CallerState {
  /** When the speech under way began. */
  readonly speakingSince: number | null;
  /** When the turn began; null: none is under way. */
  readonly turnSince: number | null;
  /** Given with its first words. */
  readonly turnId: string | null;
  readonly lastVoice: number;
  /** Speech has ended whose final transcript has not come. */
  readonly untranscribed: boolean;
  /** When the silence that ends the turn was over, while its text is still to come. */
  readonly due: number | null;
  /** Words of the turn were lost. */
  readonly lost: boolean;
  /** Spoke over the agent for long enough; the words are still to come. */
  readonly interruptionDue: boolean;
  readonly segments: readonly Segment[];
  /** Segments up to this one belong to turns that are closed. */
  readonly closedSegment: number;
  /** When a final transcript last came. */
  readonly finalAt: number | null;
  /** Of the last turn hint in this pause. */
  readonly finished: number | null;
  /** Keys that are being collected. */
  readonly digits: string;
}

/** What the agent sets out to say: an attempt of the model, or a text that is said word for word (`attempt` null). It lasts until all of it was played. */
export interface Reply {
  readonly attempt: number | null;
  /** Attempts at this reply that failed before. */
  readonly retry: number;
  readonly turnId: string;
  readonly startedAt: number;
  /** The caller's turn may still go on. */
  readonly speculative: boolean;
  /** The caller's words that it answers, as they are compared. */
  readonly answers: string;
  readonly text: string;
  /** How much of the text was given to the voice. */
  readonly spoken: number;
  readonly firstDeltaAt: number | null;
  readonly toolCalls: readonly ToolCall[];
  /** No more text comes. */
  readonly complete: boolean;
  /** Its tools were called. */
  readonly toolsCalled: boolean;
  /** The model is asked again with what the tools returned. */
  readonly followUp: boolean;
  /** Whether the call ends after it. */
  readonly endsCall: boolean;
  /** It is the announcement of a recording: nothing stops it, and the recording begins after it. */
  readonly announces: boolean;
  /** Stopped by speech that has had no words so far: it goes on where that turns out to be nothing. */
  readonly suspended: boolean;
  /** The caller said something while it was stopped, and nothing of it was heard since. */
  readonly unanswered: boolean;
  /** How often the voice failed in it. */
  readonly voiceFailures: number;
}

/** What is being said: the part of a reply that the voice was given. */
export interface Utterance {
  readonly utterance: number;
  readonly turnId: string;
  /** Where in the reply's text it begins. */
  readonly from: number;
  readonly text: string;
  /** No more text follows. */
  readonly finished: boolean;
  /** Nothing of it may be played yet. */
  readonly held: boolean;
  readonly startedAt: number;
  /** When its first sound existed. */
  readonly audioAt: number | null;
  /** When its first sound was free to play. */
  readonly heardAt: number | null;
  /** Of all of it; null until everything of it is sound. */
  readonly durationMs: number | null;
  /** Text before this was played. */
  readonly offset: number;
}

/** The utterance that was stopped last: its last mark may still come. */
export interface StoppedUtterance {
  readonly utterance: number;
  readonly turnId: string;
  readonly text: string;
  readonly from: number;
}

/** When the caller's last turn ended. */
export interface TurnEnd {
  readonly lastVoice: number;
  /** When its silence was long enough. */
  readonly holdOverAt: number;
  readonly endedAt: number;
}

/** A tool that runs. */
export interface RunningTool {
  readonly call: ToolCall;
  readonly turnId: string;
  readonly since: number;
}

/** Inputs of answer detection. */
export interface Evidence {
  /** The other party was heard: a voice without music, or words. */
  readonly speech: boolean;
  readonly music: boolean;
  /** Words recognised before the first tone. */
  readonly words: number;
  /** Words that had been recognised when a record beep was heard; null without one. */
  readonly wordsBeforeTone: number | null;
  /** A turn held the instruction of a mailbox. */
  readonly instruction: boolean;
}

/** What is heard while the agent thinks or a tool runs, on the second track. */
export interface FeedbackState {
  /** How many phrases this call has heard; they take turns. */
  readonly given: number;
  readonly playing: boolean;
  /** Phrases to speech that was not recognised, so far. */
  readonly unrecognised: number;
  /** The words at the end were said. */
  readonly farewell: boolean;
}

/** The deadline of the pending reply: it runs while the line is free, and stands still while anybody speaks or a tool runs. */
export interface OwedReply {
  readonly owed: boolean;
  readonly spentMs: number;
  readonly runningSince: number | null;
}

/** A call, whole; plain JSON. Times are milliseconds of call time. */
export interface CallState {
  readonly plan: CallPlan;
  readonly phase: Phase;
  /** Of the last step. */
  readonly now: number;
  readonly answeredAt: number | null;
  readonly canceled: boolean;
  /** The agent has said, or begun to say, how it opens. */
  readonly opened: boolean;
  /** The recording was announced, or needs no announcement. */
  readonly announced: boolean;
  readonly language: string;
  /** Music plays. */
  readonly music: boolean;
  readonly muted: boolean;
  readonly recordingPauses: readonly RecordingPause[];
  readonly watermarks: Watermarks;
  readonly deadlines: Readonly<Partial<Record<DeadlineName, number>>>;
  readonly caller: CallerState;
  readonly reply: Reply | null;
  readonly utterance: Utterance | null;
  readonly stopped: StoppedUtterance | null;
  /** The turn that the reply answers; null where it answers none, or its latency was written down. */
  readonly turnEnd: TurnEnd | null;
  readonly tools: readonly RunningTool[];
  /** Rounds of tools since the caller's last turn. */
  readonly toolRounds: number;
  /** What operators want to be said. */
  readonly toSay: readonly string[];
  /** The transcriber was opened again so often since it last gave anything. */
  readonly reopenings: number;
  /** Whether a transcriber listens. */
  readonly listening: boolean;
  /** The call ends with this after what is being said, whatever the caller does; null: it goes on. */
  readonly ending: 'spend_cap' | null;
  /** Numbers given so far: attempts, utterances, turns. */
  readonly counts: { readonly attempts: number; readonly utterances: number; readonly turns: number };
  readonly evidence: Evidence;
  readonly navigation: NavigationState;
  readonly feedback: FeedbackState;
  readonly owed: OwedReply;
  /** Tools whose outcome is unknown after a hand-over; none of them runs before the caller has said something. */
  readonly unknownTools: readonly string[];
  /** Another process is to go on with the call as soon as nothing is lost by that. */
  readonly handsOver: boolean;
  /** What it goes on from; null: it began here. */
  readonly resumed: ResumedCall | null;
  readonly transcript: readonly ConversationTurn[];
}

export interface Step {
  readonly state: CallState;
  readonly effects: readonly CallEffect[];
}

/** What a client is shown: whose move it is. */
export function activityOf({ reply, utterance, tools }: CallState): 'listening' | 'thinking' | 'speaking' {
  if (utterance !== null && !utterance.held) return 'speaking';
  return (reply !== null && !reply.speculative) || tools.length > 0 ? 'thinking' : 'listening';
}
