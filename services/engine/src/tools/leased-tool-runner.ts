import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  limits,
  nameOfTool,
  outsideText,
  parseJsonStrict,
  type AgentTool,
  type KnowledgeAnswer,
  type ToolOutcomeName,
  type WorkerCredentials,
} from '@parley/contract';
import type { OutboundAnswer, OutboundClient, OutboundRequest } from '@parley/service';
import type { ArgumentValidator } from './argument-validator';
import { actionOf, builtinFor, transferDestinations } from './definitions';
import { redacted, redactedValue } from './redaction.rules';
import type { ToolCallRequest, ToolEffect, ToolOutcome, ToolRunner } from './tool-call';
import type { ToolPlatform, TransferRequest } from './tool-platform';
import { connectionRequest, PathArgumentError, webhookRequest, type ToolSubject } from './tool-request';

export interface ToolRunnerOptions {
  /** The tools that the call pinned. */
  readonly tools: readonly AgentTool[];
  readonly subject: ToolSubject;
  /** Kept until the call ends. */
  readonly secrets: Pick<WorkerCredentials, 'tools' | 'connections'>;
  readonly platform: ToolPlatform;
  readonly client: Pick<OutboundClient, 'send'>;
  readonly validator: Pick<ArgumentValidator, 'problems'>;
  /** Whether the caller of this runner passes the address of a transfer itself, because no model calls transfer_call. Default: false. */
  readonly namesAddresses?: boolean;
  /** Whether the call has a number at its other end, to which send_sms sends by default. */
  readonly hasNumber: boolean;
  readonly now: () => Date;
  /** Called if an outcome could not be reported to the platform. */
  readonly outcomeLost: (error: unknown) => void;
  /** Resolves when the platform has every report that was sent so far: it transfers only calls of which it knows that they were answered. */
  readonly reported?: () => Promise<unknown>;
}

/** The timeout of actions, and of a webhook tool without a timeout of its own. */
const defaultTimeoutMs = 10_000;
const mostArgumentBytes = 16 * 1024;
/** Maximum characters of an error's body for the model, and of a result in the transcript. */
const mostErrorText = 1_000;
const mostEntryText = 4_000;
/** The maximum number of requests for a transfer whose response is lost. */
const mostTransferFailures = 5;
const transferRetryMs = 300;

/** The outcome of a tool call, before it is recorded. */
interface Ran {
  readonly outcome: ToolOutcomeName;
  readonly text: string;
  readonly effect?: ToolEffect;
}

type Arguments = Readonly<Record<string, unknown>>;
type Prepared = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'> & { readonly timeoutMs: number };

/** Runs the tools of one call under the lease of its worker. */
export class LeasedToolRunner implements ToolRunner {
  private readonly tools: ReadonlyMap<string, AgentTool>;
  /** Every value that must not appear in the transcript. */
  private readonly hidden: readonly string[];
  /** Tool calls, by id, whose request may have been sent. */
  private readonly begun = new Map<string, Promise<Ran>>();
  private readonly ending = new Set<Promise<unknown>>();

  constructor(private readonly options: ToolRunnerOptions) {
    this.tools = new Map(options.tools.map((tool) => [nameOfTool(tool), tool]));
    const { tools, connections } = options.secrets;
    this.hidden = [
      ...tools.flatMap(({ signing_secrets: secrets, headers }) => [...secrets, ...Object.values(headers)]),
      ...connections.flatMap(({ authentication: { token, value } }) => [token ?? '', value ?? '']),
    ];
  }

  async run(call: ToolCallRequest, signal: AbortSignal): Promise<ToolOutcome> {
    const started = performance.now();
    const values = argumentsOf(call.arguments);
    const ran = await this.decide(call, values, signal).catch((): Ran => ({
      outcome: 'failed',
      text: 'the tool could not be run',
    }));
    const { toolCallId, name } = call;
    return {
      ...ran,
      entry: {
        tool_call_id: toolCallId,
        name,
        arguments:
          values === undefined
            ? redacted(call.arguments, this.hidden).slice(0, mostEntryText)
            : redactedValue(values, this.hidden),
        result: redacted(ran.text, this.hidden).slice(0, mostEntryText),
        outcome: ran.outcome,
        duration_ms: Math.round(performance.now() - started),
      },
    };
  }

  async settled(): Promise<void> {
    while (this.ending.size > 0) await Promise.allSettled(this.ending);
  }

  private async decide(call: ToolCallRequest, values: Arguments | undefined, signal: AbortSignal): Promise<Ran> {
    if (call.name === 'transfer_call' && this.options.namesAddresses === true && typeof values?.['to'] === 'string')
      return this.transferOnce(call.toolCallId, { to: values['to'], ...values }, signal);
    const tool = this.tools.get(call.name);
    if (tool === undefined || typeof tool === 'string') return unavailable('this tool is not available');
    if (values === undefined) return invalid(['the arguments are not a JSON object of at most 16 KiB']);
    const earlier = this.begun.get(call.toolCallId);
    if (earlier !== undefined) return earlier;
    if (tool.type === 'builtin') return this.runBuiltin(tool, call, values, signal);
    const found = tool.type === 'connection' ? actionOf(tool, this.options.secrets.connections) : undefined;
    const secrets = this.options.secrets.tools.find(({ name }) => name === call.name);
    const parameters = tool.type === 'webhook' ? tool.parameters : found?.action.parameters;
    if (parameters === undefined) return unavailable('its connection is not registered');
    if (tool.type === 'webhook' && (secrets === undefined || secrets.signing_secrets.length === 0))
      return unavailable('the agent has no such tool any more');
    const problems = await this.options.validator.problems(parameters, values);
    if (problems.length > 0) return invalid(problems);
    if (tool.irreversible === true && call.confirmed !== true) {
      const text =
        'not run yet: its effect cannot be undone. Ask the caller to confirm it, and call the tool again directly after the answer.';
      return { outcome: 'confirmation_required', text };
    }
    const prepare = (): Prepared => {
      const prepared = { toolCallId: call.toolCallId, name: call.name, arguments: values };
      if (tool.type === 'webhook' && secrets !== undefined) {
        const request = webhookRequest(tool, secrets, this.options.subject, prepared, this.options.now());
        return { ...request, timeoutMs: tool.timeout_ms ?? defaultTimeoutMs };
      }
      if (found === undefined) throw new Error('a connection tool has no action');
      return { ...connectionRequest(found.connection, found.action, prepared), timeoutMs: defaultTimeoutMs };
    };
    let request: Prepared;
    try {
      request = prepare();
    } catch (error) {
      if (error instanceof PathArgumentError) return invalid([error.message]);
      throw error;
    }
    if (signal.aborted) return { outcome: 'canceled', text: 'the tool was not run' };
    // Checked again, because two tool calls with the same id may have reached this point concurrently.
    const running = this.begun.get(call.toolCallId) ?? this.send(call, request, signal);
    this.begun.set(call.toolCallId, running);
    return running;
  }

  /** Sends a request at most once: the platform is notified before it is sent. */
  private async send({ toolCallId, name }: ToolCallRequest, request: Prepared, signal: AbortSignal): Promise<Ran> {
    const state = await this.begin({ toolCallId, name, runId: randomUUID() });
    if (state === undefined)
      return { outcome: 'failed', text: 'the tool could not be run: the platform is unavailable' };
    if (!state.run) {
      const known = state.result ?? 'its outcome is unknown';
      return { outcome: 'already_run', text: `this call of the tool was made before: ${known}` };
    }
    const started = performance.now();
    const answer = signal.aborted
      ? undefined
      : await this.options.client.send({ ...request, mostBytes: limits.toolResultBytes, signal });
    const ran = answer === undefined ? canceled : ranOf(answer, request.timeoutMs);
    this.end(toolCallId, ran, Math.round(performance.now() - started));
    return ran;
  }

  /** Asks the platform whether the request may be sent; repeated once if the response is lost. @returns undefined if the platform did not confirm it */
  private async begin(call: Parameters<ToolPlatform['begin']>[0]) {
    try {
      return await this.options.platform.begin(call);
    } catch {
      return this.options.platform.begin(call).catch(() => undefined);
    }
  }

  private end(toolCallId: string, { outcome, text }: Ran, durationMs: number): void {
    const result = redacted(text, this.hidden).slice(0, limits.toolResultBytes);
    const report = () => this.options.platform.end(toolCallId, { outcome, result, durationMs });
    const ending = report()
      .catch(report)
      .catch((error: unknown) => this.options.outcomeLost(error))
      .finally(() => this.ending.delete(ending));
    this.ending.add(ending);
  }

  private async queryKnowledge(question: string): Promise<Ran> {
    try {
      return { outcome: 'succeeded', text: citedText(await this.options.platform.queryKnowledge(question)) };
    } catch (error) {
      return { outcome: 'failed', text: `the documents could not be searched: ${reasonOf(error)}` };
    }
  }

  private async runBuiltin(
    builtin: Extract<AgentTool, { readonly type: 'builtin' }>,
    { toolCallId }: ToolCallRequest,
    values: Arguments,
    signal: AbortSignal,
  ): Promise<Ran> {
    const { name: tool } = builtin;
    const definition = builtinFor(builtin, this.options.hasNumber);
    if (definition === undefined) return unavailable(`${tool} is not available in this call`);
    const problems = await this.options.validator.problems(definition.parameters, values);
    if (problems.length > 0) return invalid(problems);
    if (tool === 'transfer_call') {
      const destinations = transferDestinations(builtin);
      const found = destinations.find(({ name }) => name === values['destination']);
      if (found === undefined)
        return invalid([`destination must be one of ${destinations.map(({ name }) => name).join(', ')}`]);
      return this.transferOnce(toolCallId, { ...values, to: found.to, kind: found.kind }, signal);
    }
    if (tool === 'end_call') return { outcome: 'succeeded', text: 'the call ends', effect: { type: 'end_call' } };
    // The core runs it, except in conversations without a line.
    if (tool === 'leave_voicemail') return unavailable('it is not proven that a mailbox answered');
    if (tool === 'query_knowledge') return this.queryKnowledge(String(values.question));
    const { to, body } = values;
    const message = { toolCallId, body: String(body), ...(typeof to === 'string' && { to }) };
    const sending = this.options.platform.sendMessage(message).then(
      ({ status, error }): Ran =>
        status === 'failed'
          ? { outcome: 'failed', text: `the message was not sent: ${error?.code ?? 'failed'}` }
          : { outcome: 'succeeded', text: `the message is ${status}` },
      (error: unknown): Ran => ({ outcome: 'failed', text: `the message was not sent: ${reasonOf(error)}` }),
    );
    this.begun.set(toolCallId, sending);
    return sending;
  }

  /** Starts at most one transfer per tool call, however often it is requested. */
  private transferOnce(
    toolCallId: string,
    { to, kind, announcement }: Arguments & { readonly to: string },
    signal: AbortSignal,
  ): Promise<Ran> {
    const request: TransferRequest = {
      toolCallId,
      to,
      kind: kind === 'warm' ? 'warm' : 'cold',
      ...(typeof announcement === 'string' && announcement.trim() !== '' && { announcement }),
    };
    const running = this.begun.get(toolCallId) ?? this.transfer(request, signal);
    this.begun.set(toolCallId, running);
    return running;
  }

  private async transfer(request: TransferRequest, signal: AbortSignal): Promise<Ran> {
    await this.options.reported?.();
    if (signal.aborted) return canceled;
    for (let failures = 0; ;) {
      try {
        const { outcome, method } = await this.options.platform.transfer(request);
        const effect = { type: 'transferred' } as const;
        if (method === 'refer') {
          const text = 'the carrier of the caller is asked to call the other party; whether it answers is not known';
          return { outcome: 'succeeded', text, effect };
        }
        if (outcome === 'ringing') continue;
        if (outcome === 'connected') return { outcome: 'succeeded', text: 'the call is transferred', effect };
        return { outcome: 'failed', text: `the call was not transferred: ${outcome}` };
      } catch (error) {
        failures += 1;
        // Repeating the request does not start another transfer.
        if (failures < mostTransferFailures && mayPass(error)) {
          await pause(transferRetryMs);
          continue;
        }
        return { outcome: 'failed', text: `the call was not transferred: ${reasonOf(error)}` };
      }
    }
  }
}

/** Sources come first, so that they remain in the transcript however long the passages are. */
function citedText({ data }: KnowledgeAnswer): string {
  if (data.length === 0) return 'nothing was found: say that you do not know';
  const sources = data.map(
    ({ document_id: id, document_name: name, position }, index) => `[${index + 1}] ${name} (${id}, piece ${position})`,
  );
  return [`sources: ${sources.join('; ')}`, ...data.map(({ text }, index) => `[${index + 1}] ${text}`)].join('\n');
}

const canceled: Ran = { outcome: 'canceled', text: 'the tool was canceled' };
const unavailable = (why: string): Ran => ({ outcome: 'unavailable', text: `the tool is unavailable: ${why}` });
const invalid = (problems: readonly string[]): Ran => ({
  outcome: 'invalid_arguments',
  text: `the arguments are not valid: ${problems.slice(0, 5).join('; ').slice(0, mostErrorText)}`,
});

/** Whether the same request may succeed later: there was no response, or the platform is temporarily unavailable. */
function mayPass(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status !== 'number' || status >= 500;
}

/** The error code of the platform, if there is one. */
function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'the platform is unavailable';
}

function argumentsOf(text: string): Arguments | undefined {
  const bytes = Buffer.from(text.trim() === '' ? '{}' : text, 'utf8');
  if (bytes.length > mostArgumentBytes) return undefined;
  try {
    return parseJsonStrict(bytes);
  } catch {
    return undefined;
  }
}

function ranOf({ status, error, body, truncated }: OutboundAnswer, timeoutMs: number): Ran {
  if (error === 'canceled') return canceled;
  if (error === 'timeout') return { outcome: 'timeout', text: `the tool did not answer within ${timeoutMs} ms` };
  if (error !== undefined || status === undefined)
    return { outcome: 'failed', text: `the tool failed: ${error ?? ''}` };
  const text = outsideText(body.toString('utf8')).trim();
  if (status < 200 || status > 299) {
    const why = text === '' ? '' : `: ${text.slice(0, mostErrorText)}`;
    return { outcome: 'failed', text: `the tool failed with HTTP ${status}${why}` };
  }
  // Removes the remainder of a character that was cut off at the end.
  const whole = truncated ? `${text.replace(/\ufffd+$/, '')} [cut off at 64 KiB]` : text;
  return { outcome: 'succeeded', text: whole === '' ? 'done' : whole };
}
