/** The parts of a call's state that belong to the turns under way. */
import type { Refusal, ToolCall } from './inputs';

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
  /** The transcriber's last turn hint in the current pause. */
  readonly finished: number | null;
  /** The turn detector's probability for the words so far that the turn is finished. */
  readonly judged: number | null;
  /** Keys being collected. */
  readonly digits: string;
  /** When a beep was heard whose greeting is not transcribed yet. */
  readonly beepAt: number | null;
  /** The turn of keys that further keys continue; null: none. */
  readonly openKeys: string | null;
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
  /** Whether the model was asked for it once more in other words. */
  readonly rephrased: boolean;
  /** The conversation was refused while the caller's turn was still open. */
  readonly refused: Refusal | null;
  /** The text passes to the voice as it is. */
  readonly verbatim: boolean;
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
