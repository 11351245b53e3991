import type { ToolOutcomeName } from '@parley/contract';

/** A tool call of a model or of a workflow node. */
export interface ToolCallRequest {
  /** The id of the decision to call the tool. At most one request is sent for it, even if the tool call is repeated. Visible ASCII, at most 128 characters. */
  readonly toolCallId: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; it may be invalid. */
  readonly arguments: string;
  /** Whether the caller has confirmed it. Irreversible tools do not run without confirmation. Default: false. */
  readonly confirmed?: boolean | undefined;
}

/** An action for the runner of the conversation, which the tool itself has not performed. */
export type ToolEffect =
  | { readonly type: 'end_call' }
  /** The target of the transfer has answered and waits to be connected. */
  | { readonly type: 'transferred' };

/** The entry in the transcript, without secrets and card numbers. */
export interface ToolCallEntry {
  readonly tool_call_id: string;
  readonly name: string;
  /** The arguments as an object if they are one, otherwise as text. */
  readonly arguments: unknown;
  readonly result: string;
  readonly outcome: ToolOutcomeName;
  /** Milliseconds from the request to the outcome. */
  readonly duration_ms: number;
}

export interface ToolOutcome {
  readonly outcome: ToolOutcomeName;
  /** The result for the model. */
  readonly text: string;
  readonly effect?: ToolEffect | undefined;
  readonly entry: ToolCallEntry;
}

/** Runs the tools of one call, concurrently if a model calls several. Call runners and workflow nodes depend only on this interface. */
export interface ToolRunner {
  /** Runs a tool; never rejects. @param signal aborts a request in progress, which may already have arrived; the outcome is then `canceled` */
  run(call: ToolCallRequest, signal: AbortSignal): Promise<ToolOutcome>;
  /** Resolves when the platform has received every outcome, or cannot receive it. */
  settled(): Promise<void>;
}
