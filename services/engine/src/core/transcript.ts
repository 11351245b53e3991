import type { ToolOutcome } from './inputs';

/** The latency of a reply, by part, in milliseconds. With speculative generation the parts overlap, so `total_ms` is not their sum. */
export interface TurnLatency {
  /** From the caller's last voice to the end of the turn by silence. */
  readonly end_of_turn_hold_ms?: number;
  /** How much longer the final transcript took than the silence. */
  readonly transcript_ms?: number;
  /** From the request to the model's first word. */
  readonly model_first_ms?: number;
  /** From the first text passed to the voice to its first audio. */
  readonly speech_first_ms?: number;
  /** From the caller's last voice to the agent's first audio. */
  readonly total_ms?: number;
}

export interface TurnToolCall {
  readonly tool_call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
  /** `canceled`: the call ended before the tool. */
  readonly outcome: ToolOutcome | 'canceled';
  readonly duration_ms: number;
}

/** One turn of a transcript, with the contract's field names. Milliseconds since the answer. */
export interface ConversationTurn {
  readonly turn_id: string;
  readonly speaker: 'agent' | 'caller';
  /** For the agent: the text that was played. */
  readonly text: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly language?: string;
  /** The caller interrupted the agent. */
  readonly interrupted?: boolean;
  /** Keys that the caller pressed. */
  readonly digits?: string;
  /** Present in an agent's turn that answers the caller. */
  readonly latency?: TurnLatency;
  readonly tool_calls?: readonly TurnToolCall[];
}
