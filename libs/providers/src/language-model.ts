import type { JsonSchema } from './json-schema';

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly text: string };

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** The JSON text exactly as the model generated it; it may be invalid. */
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
  /** The tools that the model may call in this reply; empty: none. */
  readonly tools: readonly ModelTool[];
  /** The name of a tool that the reply must call, for structured output. Servers that do not support this may return text instead. Default: none. */
  readonly requiredTool?: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The events that a model streams. Only `done` shows that a reply is complete: a stream that ends without it has failed with `disconnected`, or with `canceled`
 * if its signal was aborted.
 */
export type ModelEvent =
  | { readonly type: 'delta'; readonly text: string }
  /** A complete tool call; adapters collect its parts. */
  | { readonly type: 'tool_call'; readonly call: ModelToolCall }
  | {
      readonly type: 'done';
      readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
      readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
    };

/** A language model, which generates the agent's replies. */
export interface LanguageModel {
  readonly capabilities: { readonly tools: boolean; readonly parallelToolCalls: boolean };
  /** @throws ProviderError while iterating */
  generate(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
