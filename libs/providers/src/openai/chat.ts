import { knownOptions, optionsOf } from '@parley/contract';
import type OpenAI from 'openai';
import { limitsOf, type ProviderAccount } from '../adapter';
import { canceled, disconnected, invalidAnswer, stalled } from '../failures';
import { errorOfRequest, errorOfType } from '../http-failure';
import type { LanguageModel, ModelEvent, ModelMessage, ModelRequest, ModelToolCall } from '../language-model';
import type { ProviderError } from '../provider-error';
import { Watch } from '../watch';
import { clientOf, type OpenAiServer } from './client';

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Done = Extract<ModelEvent, { type: 'done' }>;

/** A language model with chat completions and tools, streamed as server-sent events. */
export function chatModel(server: OpenAiServer, account: ProviderAccount): LanguageModel {
  const client = clientOf(server, account);
  const limits = limitsOf(account);
  const { provider } = server;
  return {
    capabilities: { tools: true, parallelToolCalls: true },
    async *generate(request, signal) {
      const watch = new Watch(signal);
      const context = { provider, watch, answered: false };
      let complete = false;
      try {
        watch.expect(limits.connectMs + limits.firstMs);
        const { data, response } = await client.chat.completions
          .create(bodyOf(request, server), { signal: watch.signal })
          .withResponse();
        if (!/^text\/event-stream/i.test(response.headers.get('content-type') ?? ''))
          throw invalidAnswer(provider, 'returned no event stream');
        context.answered = true;
        const reply = new Reply(provider);
        for await (const chunk of data) {
          watch.relax();
          yield* reply.read(chunk);
          watch.expect(limits.betweenMs);
        }
        // An aborted stream ends like a complete one; only a finish reason distinguishes them.
        if (watch.canceled) throw canceled(provider);
        if (watch.expired && !reply.finished) throw stalled(provider);
        yield* reply.end();
        complete = true;
      } catch (error) {
        throw errorOfRequest(context, error, (thrown) => reportedIn(provider, thrown));
      } finally {
        if (complete) watch.finish();
        else watch.abandon();
      }
    },
  };
}

/** Maximum of tool calls in a reply; many times as many as a model makes. */
const mostCalls = 128;

interface PartialCall {
  id: string;
  name: string;
  arguments: string;
}

/** Collects one reply; tool calls are complete when the stream ends. */
class Reply {
  private readonly calls: PartialCall[] = [];
  private reason: string | undefined;
  private usage: Done['usage'];

  constructor(private readonly provider: string) {}

  get finished(): boolean {
    return this.reason !== undefined;
  }

  *read(chunk: Chunk): Iterable<ModelEvent> {
    if (!Array.isArray(chunk.choices)) throw invalidAnswer(this.provider, 'sent an event that is not a completion');
    if (chunk.usage !== null && chunk.usage !== undefined) {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = chunk.usage;
      this.usage = { inputTokens, outputTokens };
    }
    const [choice] = chunk.choices;
    if (choice === undefined) return;
    const text = choice.delta?.content;
    if (typeof text === 'string' && text !== '') yield { type: 'delta', text };
    for (const piece of choice.delta?.tool_calls ?? []) {
      const call = this.callAt(piece.index ?? 0);
      if (typeof piece.id === 'string' && piece.id !== '') call.id = piece.id;
      call.name += piece.function?.name ?? '';
      call.arguments += piece.function?.arguments ?? '';
    }
    if (typeof choice.finish_reason === 'string') this.reason = choice.finish_reason;
  }

  /** The server chooses the index. With a name such as `__proto__` it would change the arrays of this process, with a huge number their length. */
  private callAt(index: unknown): PartialCall {
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= mostCalls)
      throw invalidAnswer(this.provider, `called a tool with an index that is not below ${mostCalls}`);
    return (this.calls[index] ??= { id: '', name: '', arguments: '' });
  }

  *end(): Iterable<ModelEvent> {
    if (this.reason === undefined) throw disconnected(this.provider);
    // A truncated reply may contain an incomplete tool call.
    const calls = this.reason === 'length' || this.reason === 'content_filter' ? [] : this.calls.filter(Boolean);
    for (const call of calls) {
      if (call.name === '') throw invalidAnswer(this.provider, 'called a tool without a name');
      yield { type: 'tool_call', call: { ...call, id: call.id || `call_${this.calls.indexOf(call)}` } };
    }
    yield { type: 'done', finishReason: finishReasonOf(this.reason, calls.length > 0), usage: this.usage };
  }
}

function finishReasonOf(reason: string, calls: boolean): Done['finishReason'] {
  if (reason === 'length' || reason === 'content_filter') return reason;
  // Compatible servers use other names instead of `stop`, and report `stop` even if the reply calls tools.
  return calls ? 'tool_calls' : 'stop';
}

function bodyOf(
  { model, messages, tools, requiredTool, options: wanted }: ModelRequest,
  { provider, isOpenAi }: OpenAiServer,
): Body {
  const options = optionsOf('llm', provider, model ?? '');
  const { max_tokens: most, parallel_tool_calls: parallel, ...rest } = knownOptions(wanted, options);
  return {
    ...rest,
    model: model ?? '',
    messages: messages.map(messageOf),
    stream: true,
    ...(isOpenAi && { stream_options: { include_usage: true } }),
    ...(most !== undefined && { [isOpenAi ? 'max_completion_tokens' : 'max_tokens']: most }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        function: { name, description, parameters: { ...parameters } },
      })),
      ...(requiredTool !== undefined && {
        tool_choice: { type: 'function' as const, function: { name: requiredTool } },
      }),
      ...(parallel !== undefined && { parallel_tool_calls: parallel as boolean }),
    }),
  };
}

function messageOf(message: ModelMessage): Message {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.text };
  if (message.role !== 'assistant') return { role: message.role, content: message.text };
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: 'assistant', content: message.text };
  return { role: 'assistant', content: message.text === '' ? null : message.text, tool_calls: calls.map(callOf) };
}

const callOf = ({ id, name, arguments: text }: ModelToolCall) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: text },
});

function reportedIn(provider: string, thrown: Error): ProviderError | undefined {
  const { code, type } = thrown as Error & { code?: unknown; type?: unknown };
  const reported = [code, type].filter((one) => typeof one === 'string').join(' ');
  return reported === '' || /^E[A-Z]+|^UND_/.test(reported) ? undefined : errorOfType(provider, reported);
}
