import type { ToolOutcomeName } from '@parley/contract';

/** A tool that a model, or a node of a workflow, wants run. */
export interface ToolCallRequest {
  /** Of the decision: at most one request leaves under it, no matter who asks again. Visible ASCII, at most 128 characters. */
  readonly toolCallId: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; it may be invalid. */
  readonly arguments: string;
  /** The caller has confirmed it: tools whose effect cannot be taken back are not run without. Default: false. */
  readonly confirmed?: boolean | undefined;
}

/** What the runner of the conversation has to do now; the tool itself did nothing. */
export type ToolEffect =
  | { readonly type: 'end_call' }
  /** The other party is there, and waits for the line. */
  | { readonly type: 'transferred' }
  /** Speak it and hang up. Undefined: the text of the agent's answer detection. */
  | { readonly type: 'leave_voicemail'; readonly text: string | undefined };

/** As it stands on the transcript: without secrets and card numbers. */
export interface ToolCallEntry {
  readonly tool_call_id: string;
  readonly name: string;
  /** The arguments as an object where they are one, else as text. */
  readonly arguments: unknown;
  readonly result: string;
  readonly outcome: ToolOutcomeName;
  /** Milliseconds from the request to the outcome. */
  readonly duration_ms: number;
}

export interface ToolOutcome {
  readonly outcome: ToolOutcomeName;
  /** For the model. */
  readonly text: string;
  readonly effect?: ToolEffect | undefined;
  readonly entry: ToolCallEntry;
}

/** Runs the tools of one call, several at a time where a model asks for several. CallRunners and workflow nodes hold this alone. */
export interface ToolRunner {
  /** Never rejects. @param signal aborts a request that is under way, which may have arrived: its outcome is `canceled` */
  run(call: ToolCallRequest, signal: AbortSignal): Promise<ToolOutcome>;
  /** Resolves when the platform has every outcome, or cannot be given it. */
  settled(): Promise<void>;
}
