import type { JsonSchema } from './json-schema';

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly text: string };

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; it may be invalid. */
  readonly arguments: string;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ModelRequest {
  readonly model: string | undefined;
  readonly messages: readonly ModelMessage[];
  /** Empty: the model can call no tool in this reply. */
  readonly tools: readonly ModelTool[];
  /** The name of one of them that the reply has to call: structured output. A server that does not know this may write text instead. Default: none. */
  readonly requiredTool?: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * What a model streams. `done` is the only proof that a reply is complete: a stream that ends without it has failed with `disconnected`, and one whose
 * signal was aborted with `canceled`.
 */
export type ModelEvent =
  | { readonly type: 'delta'; readonly text: string }
  /** Whole: adapters collect what arrives in pieces. */
  | { readonly type: 'tool_call'; readonly call: ModelToolCall }
  | {
      readonly type: 'done';
      readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
      readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
    };

/** What the agent says next. */
export interface LanguageModel {
  readonly capabilities: { readonly tools: boolean; readonly parallelToolCalls: boolean };
  /** @throws ProviderError from the iteration */
  generate(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
