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
  const signatures = new Signatures();
  return {
    capabilities: { tools: true, parallelToolCalls: true },
    async *generate(request, signal) {
      const watch = new Watch(signal);
      const context = { provider, watch, answered: false };
      let complete = false;
      try {
        watch.expect(limits.connectMs + limits.firstMs);
        const { data, response } = await client.chat.completions
          .create(bodyOf(request, server, signatures), { signal: watch.signal })
          .withResponse();
        if (!/^text\/event-stream/i.test(response.headers.get('content-type') ?? ''))
          throw invalidAnswer(provider, 'returned no event stream');
        context.answered = true;
        const reply = new Reply(
          provider,
          request.tools.map(({ name }) => name),
          signatures,
        );
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

/**
 * What a server attached to its tool calls and expects back with them, such as Gemini's signatures of its thoughts, without which it refuses the next request.
 * It is not part of the conversation: after a hand-over to another engine it is missing.
 */
class Signatures {
  private readonly kept = new Map<string, object>();

  keep(callId: string, extra: unknown): void {
    if (typeof extra !== 'object' || extra === null || JSON.stringify(extra).length > 64 * 1024) return;
    const [oldest] = this.kept.keys();
    if (this.kept.size >= mostCalls && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(callId, extra);
  }

  /** The fields of the tool call with this id. */
  of(callId: string): { readonly extra_content?: object } {
    const extra = this.kept.get(callId);
    return extra === undefined ? {} : { extra_content: extra };
  }
}

/** Maximum of tool calls in a reply; many times as many as a model makes. */
const mostCalls = 128;

interface PartialCall {
  readonly index: number | undefined;
  id: string;
  name: string;
  arguments: string;
  extra?: unknown;
}

type CallPiece = Partial<Record<'index' | 'id' | 'function' | 'extra_content', unknown>>;

/** Collects one reply; tool calls are complete when the stream ends. */
class Reply {
  private readonly calls: PartialCall[] = [];
  private reason: string | undefined;
  private usage: Done['usage'];

  constructor(
    private readonly provider: string,
    private readonly tools: readonly string[],
    private readonly signatures: Signatures,
  ) {}

  get finished(): boolean {
    return this.reason !== undefined;
  }

  *read(chunk: Chunk): Iterable<ModelEvent> {
    if (!Array.isArray(chunk.choices)) throw invalidAnswer(this.provider, 'sent an event that is not a completion');
    if (chunk.usage !== null && chunk.usage !== undefined) {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = chunk.usage;
      this.usage = { inputTokens, outputTokens };
    }
    const choice = chunk.choices[0] as Partial<Chunk['choices'][number]> | null | undefined;
    if (choice === undefined || choice === null) return;
    const text = writtenIn(choice.delta?.content);
    if (text !== '') yield { type: 'delta', text };
    const pieces: unknown = choice.delta?.tool_calls;
    for (const piece of Array.isArray(pieces) ? (pieces as (CallPiece | null)[]) : []) if (piece) this.add(piece);
    if (typeof choice.finish_reason === 'string') this.reason = choice.finish_reason;
  }

  /** Compatible servers repeat indexes, ids and names, or leave them out, so none of them alone identifies a call. */
  private add({ index: numbered, id: given, function: called, extra_content: extra }: CallPiece): void {
    const index = typeof numbered === 'number' ? numbered : undefined;
    const id = typeof given === 'string' ? given : '';
    const { name: named, arguments: written } = (called ?? {}) as { name?: unknown; arguments?: unknown };
    const name = typeof named === 'string' ? named : '';
    const known = this.calls.findLast((call) => {
      const isSame = index === undefined || call.index === undefined || index === call.index;
      return isSame && (id === '' || call.id === '' || id === call.id);
    });
    const call = known === undefined || this.isNext(known, name) ? this.begin(index, id) : known;
    if (call.id === '') call.id = id;
    call.extra ??= extra;
    if (name !== call.name) call.name += name;
    call.arguments += typeof written === 'string' ? written : written ? JSON.stringify(written) : '';
  }

  private begin(index: number | undefined, id: string): PartialCall {
    if (this.calls.length >= mostCalls)
      throw invalidAnswer(this.provider, `called more than ${mostCalls} tools in one reply`);
    const call = { index, id, name: '', arguments: '' };
    this.calls.push(call);
    return call;
  }

  /** Whether a name begins another call, and is neither repeated nor the next part of the name. */
  private isNext(call: PartialCall, name: string): boolean {
    if (name === '' || call.name === '') return false;
    if (name === call.name) return isJson(call.arguments);
    return !this.tools.some((tool) => tool.startsWith(call.name + name));
  }

  *end(): Iterable<ModelEvent> {
    if (this.reason === undefined) throw disconnected(this.provider);
    // A truncated reply may contain an incomplete tool call.
    const calls = this.reason === 'length' || this.reason === 'content_filter' ? [] : this.calls;
    for (const [n, { id, name, arguments: written, extra }] of calls.entries()) {
      if (name === '') throw invalidAnswer(this.provider, 'called a tool without a name');
      this.signatures.keep(id, extra);
      yield { type: 'tool_call', call: { id: id || `call_${n}`, name, arguments: written } };
    }
    yield { type: 'done', finishReason: finishReasonOf(this.reason, calls.length > 0), usage: this.usage };
  }
}

/** The text of a delta. Some servers write a list of parts, some of which are thoughts. */
function writtenIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as unknown[])
    .map((part) => {
      const { type = 'text', text = part } = (part ?? {}) as { type?: unknown; text?: unknown };
      return typeof text === 'string' && /^(?:output_)?text$/.test(String(type)) ? text : '';
    })
    .join('');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
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
  signatures: Signatures,
): Body {
  const options = optionsOf('llm', provider, model ?? '');
  const { max_tokens: most, parallel_tool_calls: parallel, ...rest } = knownOptions(wanted, options);
  return {
    ...rest,
    model: model ?? '',
    messages: messages.map((message) => messageOf(message, signatures)),
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

function messageOf(message: ModelMessage, signatures: Signatures): Message {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.text };
  if (message.role !== 'assistant') return { role: message.role, content: message.text };
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: 'assistant', content: message.text };
  const made = calls.map((call) => ({ ...callOf(call), ...signatures.of(call.id) }));
  return { role: 'assistant', content: message.text === '' ? null : message.text, tool_calls: made };
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
