import Anthropic from '@anthropic-ai/sdk';
import { knownOptions, optionsOf } from '@parley/contract';
import { baseUrlOf, limitsOf, type ProviderAccount } from '../adapter';
import { canceled, disconnected, invalidAnswer, stalled } from '../failures';
import { errorOfRequest, errorOfType } from '../http-failure';
import type { LanguageModel, ModelEvent, ModelRequest } from '../language-model';
import type { ProviderError } from '../provider-error';
import { Watch } from '../watch';
import { conversationOf } from './conversation';

type StreamEvent = Anthropic.RawMessageStreamEvent;
type Done = Extract<ModelEvent, { type: 'done' }>;

const provider = 'anthropic';

/** The API requires a maximum; a spoken reply needs far less. */
const usualMaxTokens = 1_024;

const finishReasons: Readonly<Record<string, Done['finishReason']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** A language model with the Messages API and tools, streamed as server-sent events. */
export function messagesModel(account: ProviderAccount): LanguageModel {
  const client = new Anthropic({
    // Set so that the client does not read a key from the environment. The key is sent in the documented header, not in the one that the client would use.
    apiKey: 'none',
    authToken: null,
    defaultHeaders: { authorization: null, 'x-api-key': account.apiKey ?? null },
    baseURL: baseUrlOf(account, 'https://api.anthropic.com'),
    maxRetries: 0,
    timeout: 600_000,
    logLevel: 'off',
    // The content of calls must not appear in traces.
    openTelemetry: false,
    fetch: account.fetch,
  });
  const limits = limitsOf(account);
  return {
    capabilities: { tools: true, parallelToolCalls: true },
    async *generate(request, signal) {
      const watch = new Watch(signal);
      const context = { provider, watch, answered: false };
      let complete = false;
      try {
        watch.expect(limits.connectMs + limits.firstMs);
        const { data, response } = await client.messages
          .create(bodyOf(request), { signal: watch.signal })
          .withResponse();
        if (!/^text\/event-stream/i.test(response.headers.get('content-type') ?? ''))
          throw invalidAnswer(provider, 'returned no event stream');
        context.answered = true;
        const reply = new Reply();
        for await (const event of data) {
          watch.relax();
          yield* reply.read(event);
          watch.expect(limits.betweenMs);
        }
        if (watch.canceled) throw canceled(provider);
        if (watch.expired && !reply.stopped) throw stalled(provider);
        yield* reply.end();
        complete = true;
      } catch (error) {
        throw errorOfRequest(context, error, reportedIn);
      } finally {
        if (complete) watch.finish();
        else watch.abandon();
      }
    },
  };
}

class Reply {
  private readonly calls = new Map<number, { readonly id: string; readonly name: string; arguments: string }>();
  private readonly whole: { readonly id: string; readonly name: string; readonly arguments: string }[] = [];
  private reason: string | undefined;
  private inputTokens = 0;
  private outputTokens = 0;
  stopped = false;

  *read(event: StreamEvent): Iterable<ModelEvent> {
    // Unknown event types are ignored; an event without a type is invalid.
    if (typeof event.type !== 'string') throw invalidAnswer(provider, 'sent an event without a type');
    switch (event.type) {
      case 'message_start':
        this.inputTokens = event.message?.usage?.input_tokens ?? 0;
        return;
      case 'content_block_start':
        if (event.content_block?.type === 'tool_use') {
          const { id, name } = event.content_block;
          if (typeof id !== 'string' || typeof name !== 'string')
            throw invalidAnswer(provider, 'called an unnamed tool');
          this.calls.set(event.index, { id, name, arguments: '' });
        }
        return;
      case 'content_block_delta':
        if (event.delta?.type === 'text_delta' && typeof event.delta.text === 'string' && event.delta.text !== '')
          yield { type: 'delta', text: event.delta.text };
        if (event.delta?.type === 'input_json_delta') {
          const call = this.calls.get(event.index);
          // Servers that implement this protocol may also call tools of their own.
          if (call !== undefined && typeof event.delta.partial_json === 'string')
            call.arguments += event.delta.partial_json;
        }
        return;
      case 'content_block_stop': {
        const call = this.calls.get(event.index);
        // For a tool without parameters, no JSON arguments are streamed.
        if (call !== undefined) this.whole.push({ ...call, arguments: call.arguments || '{}' });
        return;
      }
      case 'message_delta':
        this.reason = event.delta?.stop_reason ?? this.reason;
        this.outputTokens = event.usage?.output_tokens ?? this.outputTokens;
        return;
      case 'message_stop':
        this.stopped = true;
        return;
    }
  }

  *end(): Iterable<ModelEvent> {
    if (!this.stopped || this.reason === undefined) throw disconnected(provider);
    // An unknown reason is that of a newer version; the reply is complete.
    const reason = finishReasons[this.reason] ?? (this.whole.length > 0 ? 'tool_calls' : 'stop');
    // A truncated reply may contain an incomplete tool call.
    if (reason === 'tool_calls') for (const call of this.whole) yield { type: 'tool_call', call };
    const { inputTokens, outputTokens } = this;
    yield { type: 'done', finishReason: reason, usage: { inputTokens, outputTokens } };
  }
}

function bodyOf({
  model,
  messages,
  tools,
  requiredTool,
  options: wanted,
}: ModelRequest): Anthropic.MessageCreateParamsStreaming {
  const options = optionsOf('llm', provider, model ?? '');
  const { max_tokens: most, parallel_tool_calls: parallel, ...rest } = knownOptions(wanted, options);
  return {
    ...rest,
    ...conversationOf(messages),
    model: model ?? '',
    max_tokens: typeof most === 'number' ? most : usualMaxTokens,
    stream: true,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: { ...parameters, type: 'object' as const },
      })),
      ...((parallel === false || requiredTool !== undefined) && { tool_choice: toolChoiceOf(requiredTool, parallel) }),
    }),
  };
}

function toolChoiceOf(requiredTool: string | undefined, parallel: unknown): Anthropic.ToolChoice {
  const once = parallel === false && { disable_parallel_tool_use: true };
  return requiredTool === undefined ? { type: 'auto', ...once } : { type: 'tool', name: requiredTool, ...once };
}

function reportedIn(thrown: Error): ProviderError | undefined {
  const { error, type } = thrown as Error & { error?: { error?: { type?: unknown } }; type?: unknown };
  const reported = error?.error?.type ?? type;
  return typeof reported === 'string' ? errorOfType(provider, reported) : undefined;
}
