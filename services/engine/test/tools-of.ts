import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type {
  AgentTool,
  KnowledgeAnswer,
  LeasedToolSecrets,
  MessageRecord,
  WebhookTool,
  WorkerToolCallState,
  WorkerTransferState,
} from '@parley/contract';
import { createAddressPolicy, createOutboundClient } from '@parley/service';
import { LeasedToolRunner, ThreadedValidator, type ToolPlatform, type ToolRunnerOptions } from '../src/tools';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Permits tool calls like the platform: only the first attempt under an id may run. */
export class Records implements ToolPlatform {
  readonly begun: { toolCallId: string; name: string; runId: string }[] = [];
  readonly ended: { toolCallId: string; outcome: string; result: string }[] = [];
  readonly messages: unknown[] = [];
  readonly known = new Map<string, WorkerToolCallState & { runId: string }>();
  /** Answers of `begin` that are lost on their way. */
  lose = 0;
  readonly questions: string[] = [];
  knowledge: Pick<KnowledgeAnswer, 'data'> | Error = { data: [] };
  message: Partial<MessageRecord> | Error = { status: 'queued', error: null };

  async begin(call: Parameters<ToolPlatform['begin']>[0]): Promise<WorkerToolCallState> {
    this.begun.push(call);
    const { toolCallId, runId } = call;
    const earlier = this.known.get(toolCallId) ?? {
      tool_call_id: toolCallId,
      run: true,
      outcome: null,
      result: null,
      runId,
    };
    this.known.set(toolCallId, earlier);
    if (this.lose > 0) {
      this.lose -= 1;
      throw new Error('the answer was lost');
    }
    return { ...earlier, run: earlier.runId === runId && earlier.outcome === null };
  }

  async end(toolCallId: string, { outcome, result }: Parameters<ToolPlatform['end']>[1]): Promise<void> {
    this.ended.push({ toolCallId, outcome, result });
  }

  /** Outcomes of transfers, one an answer. */
  transfers: WorkerTransferState['outcome'][] = ['connected'];
  /** The SIP peer of the line makes the transfers. */
  byRefer = false;
  readonly asked: unknown[] = [];

  async transfer(transfer: Parameters<ToolPlatform['transfer']>[0]): Promise<WorkerTransferState> {
    this.asked.push(transfer);
    const outcome = this.transfers.shift() ?? 'failed';
    return { transfer_id: 'trf_1', outcome, ...(this.byRefer && { method: 'refer' }) };
  }

  async sendMessage(message: Parameters<ToolPlatform['sendMessage']>[0]): Promise<MessageRecord> {
    this.messages.push(message);
    if (this.message instanceof Error) throw this.message;
    return this.message as MessageRecord;
  }

  async queryKnowledge(text: string): Promise<KnowledgeAnswer> {
    this.questions.push(text);
    if (this.knowledge instanceof Error) throw this.knowledge;
    return { ...this.knowledge, ranking: 'full_text', embedding_failure: null };
  }
}

/** Tools of a call against a server of tools in a process of its own. To be called once a file. */
export function toolsOfFile() {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const received: Received[] = [];
  const validator = new ThreadedValidator();
  const client = createOutboundClient({ policy: createAddressPolicy({ development: true }) });
  const never = new AbortController().signal;
  let server: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    server = fork(join(__dirname, 'tool-server.mts'), {
      env: { ...process.env, TOOL_SECRET: secret },
      stdio: 'ignore',
    });
    server.on('message', (message: { received?: Received }) => {
      if (message.received !== undefined) received.push(message.received);
    });
    const [first] = (await once(server, 'message')) as [{ port: number }];
    origin = `http://127.0.0.1:${first.port}`;
  });
  afterAll(async () => {
    server?.disconnect();
    await client.close();
    await validator.close();
  });
  /** Resolves when all that the server received is here. */
  const synced = async (): Promise<void> => {
    const answer = new Promise<void>((resolve) => {
      const listen = (message: { synced?: boolean }): void => {
        if (message.synced !== true) return;
        server.off('message', listen);
        resolve();
      };
      server.on('message', listen);
    });
    server.send('sync');
    await answer;
  };
  beforeEach(async () => {
    await synced();
    received.splice(0);
  });

  const parameters = {
    type: 'object',
    properties: { order: { type: 'string', minLength: 1 }, count: { type: 'integer' } },
    required: ['order'],
    additionalProperties: false,
  };
  const webhook = (path: string, change: Partial<WebhookTool> = {}): WebhookTool => ({
    type: 'webhook',
    name: 'look_up',
    description: 'Looks up an order.',
    parameters,
    url: `${origin}/${path}`,
    method: 'POST',
    timeout_ms: 1_000,
    ...change,
  });
  const leased = (headers: Record<string, string> = {}, secrets = [secret]): LeasedToolSecrets => ({
    name: 'look_up',
    signing_secrets: secrets,
    headers,
  });

  function runnerOf(tools: AgentTool[], change: Partial<ToolRunnerOptions> = {}) {
    const platform = new Records();
    const lost: unknown[] = [];
    const runner = new LeasedToolRunner({
      tools,
      subject: { agentId: 'agt_1', of: { call_id: 'call_1' } },
      secrets: { tools: [leased()], connections: [] },
      platform,
      client,
      validator,
      hasNumber: true,
      now: () => new Date(),
      outcomeLost: (error) => lost.push(error),
      ...change,
    });
    const run = async (
      values: unknown = { order: 'A1' },
      more: { toolCallId?: string; name?: string; confirmed?: boolean } = {},
      signal = never,
    ) => {
      const text = typeof values === 'string' ? values : JSON.stringify(values);
      const outcome = await runner.run({ toolCallId: randomUUID(), name: 'look_up', arguments: text, ...more }, signal);
      await synced();
      return outcome;
    };
    return { platform: (change.platform as Records | undefined) ?? platform, runner, run, lost };
  }

  return { secret, received, webhook, leased, runnerOf, at: (path: string) => `${origin}/${path}` };
}
