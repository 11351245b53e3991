import type { ToolOutcome } from './inputs';

/** How long the parts of an answer took, in milliseconds. With generation inside the hold they overlap: `total_ms` is not their sum. */
export interface TurnLatency {
  /** From the caller's last voice to the moment at which its silence ended the turn. */
  readonly end_of_turn_hold_ms?: number;
  /** What the final transcript took longer than that. */
  readonly transcript_ms?: number;
  /** From the request to the model's first word. */
  readonly model_first_ms?: number;
  /** From the first text given to the voice to its first sound. */
  readonly speech_first_ms?: number;
  /** From the caller's last voice to the agent's first sound. */
  readonly total_ms?: number;
}

export interface TurnToolCall {
  readonly tool_call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
  /** `canceled`: the call ended before it did. */
  readonly outcome: ToolOutcome | 'canceled';
  readonly duration_ms: number;
}

/** One turn of a transcript, in the contract's names. Milliseconds from the answer. */
export interface ConversationTurn {
  readonly turn_id: string;
  readonly speaker: 'agent' | 'caller';
  /** Of the agent: what the line played. */
  readonly text: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly language?: string;
  /** The agent was cut short. */
  readonly interrupted?: boolean;
  /** Keys that the caller pressed. */
  readonly digits?: string;
  /** Of an agent's turn that answers the caller. */
  readonly latency?: TurnLatency;
  readonly tool_calls?: readonly TurnToolCall[];
}
