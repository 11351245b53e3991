import { setTimeout as pause } from 'node:timers/promises';
import { browserCarrier, chatCarrier, type WorkerCapabilities, type WorkerJob } from '@parley/contract';
import type { Background, Logger } from '@parley/runtime';
import { capabilitiesOf } from './capabilities';
import { ChatClaims } from './chat-claims';
import { Commands } from './commands';
import { Heartbeats } from './heartbeats';
import type { LiveCall } from './live-call';
import { RefusedError, type Platform } from './platform';
import { NoRoomError, TokenCheck } from './token-check';

export interface WorkerOptions {
  readonly platform: Platform;
  /** Whether this worker accepts test calls. */
  readonly takesTestCalls?: boolean;
  /** Whether this process is overloaded and should take no more calls at the moment. Default: never. */
  readonly isLate?: () => boolean;
  /** Whether the simulated transcriber and voice are replaced on lines with audio. Default: false. */
  readonly hasOfflineSpeech?: boolean;
  /** Carriers whose streams this worker accepts and whose calls it adopts. Default: none. */
  readonly streams?: readonly string[];
  /** Providers whose numbers this worker dials from. */
  readonly carriers: readonly string[];
  /** Tokens without the platform's signature that it may refuse per minute, before others are turned away unasked. Default: 30. */
  readonly refusedPerMinute?: number;
  /** Maximum number of concurrent chats, in addition to calls. Default: 0. */
  readonly chatCapacity?: number;
  /** Conducts a claimed call. */
  readonly run: (job: WorkerJob, log: Logger) => LiveCall;
  readonly log: Logger;
  /** From SERVICE_ORGANIZATION_ID: the organization to which the worker's key must belong. */
  readonly organizationId?: string;
  /** 1 to 128 characters, unique per process. */
  readonly workerId: string;
  /** Maximum number of concurrent calls, 1 to 100; at least 2 if this worker adopts calls. */
  readonly capacity: number;
  /** Aborted when draining starts, after which no jobs are claimed. */
  readonly signal: AbortSignal;
}

/** How long a claim may wait for a job. Short, because a claim in progress delays draining. */
const claimWaitSeconds = 5;
/** The interval of checks while the process is overloaded. */
const lateMs = 500;
const claimRetryMs = { first: 100, most: 5_000 } as const;
/** Maximum number of slots that are reserved for test calls while a claim is in progress; at most half of the capacity. */
const mostKeptForTestCalls = 4;

/** Claims calls and conducts at most `capacity` of them at once. `stop` first waits for the calls in progress. */
export class Worker implements Background {
  readonly name = 'worker';
  private readonly calls = new Map<string, LiveCall>();
  /** Calls that were adopted together with their connection. */
  private readonly adopted = new Set<LiveCall>();
  /** The number of adoptions in progress; `counted` without that of a token that the platform did not sign. */
  private adopting = 0;
  private counted = 0;
  private readonly tokens: TokenCheck;
  /** The number of slots that the claim in progress may fill. */
  private claiming = 0;
  private readonly heartbeats: Heartbeats;
  private readonly commands: Commands;
  /** Undefined if this worker takes no chats. */
  private readonly chats: ChatClaims | undefined;
  /** Aborted after the last call has ended. */
  private readonly left = new AbortController();
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  private onSlot: (() => void) | undefined;
  private reached = false;
  private fault: string | undefined;
  /** Why the key is refused for the configured organization. */
  private foreign: string | undefined;

  constructor(private readonly options: WorkerOptions) {
    this.tokens = new TokenCheck(options.refusedPerMinute ?? 30, () => performance.now());
    const heartbeat: Platform['heartbeat'] = (body) => options.platform.heartbeat({ ...body, ...this.lineSlots });
    this.heartbeats = new Heartbeats({ heartbeat }, options.workerId, this.calls, options.log);
    const { platform, workerId, log } = options;
    this.commands = new Commands({ platform, workerId, calls: this.calls, log, signal: this.left.signal });
    const { chatCapacity = 0 } = options;
    if (chatCapacity > 0) {
      this.chats = new ChatClaims({
        claim: (body) => platform.claim(body),
        about: () => ({ worker_id: workerId, wait_seconds: claimWaitSeconds, ...this.lineSlots }),
        capabilities: capabilitiesOf([chatCarrier], false),
        capacity: chatCapacity,
        take: (job) => this.run(job),
        log,
        signal: AbortSignal.any([this.stopping.signal, options.signal]),
      });
    }
    options.signal.addEventListener('abort', () => this.stopClaiming(), { once: true });
  }

  /** The number of calls in progress, without chats. */
  get live(): number {
    return this.calls.size - (this.chats?.live ?? 0);
  }

  /** Whether a call can be adopted now. Adoptions in progress may use only the reserved slots. */
  readonly hasRoom = (): boolean => {
    const taken = this.live + this.claiming + this.counted;
    return !this.stopped && this.counted < this.kept && taken < this.options.capacity;
  };

  /** The number of slots reserved for adopted calls. A worker that dials from no numbers still claims, so that the platform knows that it is alive. */
  private get kept(): number {
    const { takesTestCalls = false, streams = [], carriers, capacity } = this.options;
    if (streams.length > 0 && carriers.length === 0) return capacity - 1;
    if (streams.length > 0) return Math.floor(capacity / 2);
    return takesTestCalls ? Math.min(mostKeptForTestCalls, Math.floor(capacity / 2)) : 0;
  }

  /** The maximum number of calls over streams of carriers, including those in progress; omitted if this worker accepts none. */
  private get lineSlots(): { readonly line_slots?: number } {
    const { streams = [], capacity } = this.options;
    if (streams.length === 0) return {};
    const free =
      this.stopped || this.isLate ? 0 : Math.max(0, Math.min(this.kept, capacity - this.live - this.claiming));
    return { line_slots: this.adopted.size + free };
  }

  /** The number of calls that a claim may request. */
  private get claimable(): number {
    return this.isLate ? 0 : this.options.capacity - this.kept - this.live;
  }

  private get isLate(): boolean {
    return this.options.isLate?.() === true;
  }

  /**
   * Adopts the call that a token identifies, and conducts it.
   * @throws NoRoomError; RefusedError; an error of the connection
   */
  async adopt(token: string, run: (job: WorkerJob) => LiveCall): Promise<void> {
    await this.tokens.judge(token, (counts) => this.ask(token, run, counts));
  }

  private async ask(token: string, run: (job: WorkerJob) => LiveCall, counts: boolean): Promise<void> {
    if (!this.hasRoom()) throw new NoRoomError();
    this.adopting += 1;
    if (counts) this.counted += 1;
    try {
      const { platform, workerId } = this.options;
      const ask = () => platform.adopt({ token, worker_id: workerId, capabilities: this.capabilities });
      // Repeated once if the response was lost: the platform returns the same job to the worker that has it.
      const job = await ask().catch((error: unknown) => {
        if (error instanceof RefusedError) throw error;
        return ask();
      });
      // A second connection with the token of a call in progress is refused.
      if (this.calls.has(job.job_id)) throw new RefusedError(409, 'ConflictError', 'the token was used');
      const call = run(job);
      this.adopted.add(call);
      this.keep(job, call);
      if (this.stopped) call.handOver?.();
    } finally {
      this.adopting -= 1;
      if (counts) this.counted -= 1;
    }
  }

  private get capabilities(): WorkerCapabilities {
    const { carriers, takesTestCalls = false, streams = [], hasOfflineSpeech = false } = this.options;
    return capabilitiesOf([...carriers, ...(takesTestCalls ? [browserCarrier] : []), ...streams], hasOfflineSpeech);
  }

  /** Why no claim has succeeded yet; undefined once the platform has responded to one. */
  readonly ready = (): Promise<string | undefined> =>
    Promise.resolve(this.reached ? undefined : (this.foreign ?? 'the platform has not answered yet'));

  /** A worker stays ready while the platform is unavailable, because its calls continue. */
  readonly degraded = (): Promise<Readonly<Record<string, string | undefined>>> =>
    Promise.resolve({ platform: this.fault });

  start(): void {
    this.loop = Promise.all([this.claimUntilStopped(), this.chats?.run()]).then(() => undefined);
  }

  async stop(): Promise<void> {
    this.stopClaiming();
    await this.loop;
    while (this.adopting > 0) await pause(10);
    await Promise.all([...this.calls.values()].map(({ done }) => done));
    this.heartbeats.stop();
    this.left.abort();
    await this.options.platform.close();
  }

  private stopClaiming(): void {
    if (!this.stopping.signal.aborted) for (const call of this.adopted) call.handOver?.();
    this.stopping.abort();
    this.onSlot?.();
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted || this.options.signal.aborted;
  }

  private async claimUntilStopped(): Promise<void> {
    let retryMs: number = claimRetryMs.first;
    // The first claim returns immediately, even without jobs: its response shows that the platform is reachable.
    let waitSeconds = 0;
    while (!this.stopped) {
      await this.slot();
      if (this.stopped) return;
      try {
        await this.claim(waitSeconds);
        this.reached = true;
        this.fault = undefined;
        this.foreign = undefined;
        retryMs = claimRetryMs.first;
        waitSeconds = claimWaitSeconds;
      } catch (error) {
        this.foreign = this.foreignness(error);
        this.fault = this.foreign ?? 'the last claim failed';
        this.options.log.warn({ err: error, retry_in_ms: retryMs }, this.foreign ?? 'no job could be claimed');
        // With jitter, so that not all engines send at the same time.
        await pause(retryMs * (0.5 + Math.random() / 2), undefined, { signal: this.stopping.signal }).catch(
          () => undefined,
        );
        retryMs = Math.min(retryMs * 2, claimRetryMs.most);
      }
    }
  }

  private foreignness(error: unknown): string | undefined {
    const { organizationId } = this.options;
    if (organizationId === undefined || !(error instanceof RefusedError) || error.status !== 403) return undefined;
    return `SERVICE_WORKER_API_TOKEN must be a key of the organization that SERVICE_ORGANIZATION_ID names (${organizationId}), with worker_jobs:claim`;
  }

  private async claim(waitSeconds: number): Promise<void> {
    const { platform, workerId } = this.options;
    this.claiming = this.claimable;
    try {
      const claimed = await platform.claim({
        kinds: ['call'],
        capacity: this.claiming,
        worker_id: workerId,
        wait_seconds: waitSeconds,
        capabilities: this.capabilities,
        ...this.lineSlots,
      });
      this.tokens.learn(claimed.token_keys);
      for (const job of claimed.jobs) this.tryRun(job);
    } finally {
      this.claiming = 0;
    }
  }

  private tryRun(job: WorkerJob): void {
    try {
      this.run(job);
    } catch (error) {
      // The lease of the unreadable job expires by itself; the other claimed jobs are conducted.
      this.options.log.error({ err: error, job_id: job.job_id }, 'a claimed job is invalid');
    }
  }

  /** Resolves when there is room for another call, or when none will be claimed any more. */
  private async slot(): Promise<void> {
    while (this.claimable <= 0 && !this.stopped) {
      const freed = new Promise<void>((resolve) => (this.onSlot = resolve));
      await (this.isLate ? Promise.race([freed, pause(lateMs)]) : freed);
      this.onSlot = undefined;
    }
  }

  private run(job: WorkerJob): LiveCall {
    // If the same job is claimed again, its previous lease has been lost.
    this.calls.get(job.job_id)?.leaseLost();
    const log = this.logOf(job);
    const call = this.options.run(job, log);
    this.keep(job, call, log);
    return call;
  }

  private logOf(job: WorkerJob): Logger {
    return this.options.log.child({ job_id: job.job_id, call_id: job.call.call_id, epoch: job.epoch });
  }

  private keep(job: WorkerJob, call: LiveCall, log = this.logOf(job)): void {
    this.calls.set(job.job_id, call);
    this.heartbeats.keep();
    this.commands.keep();
    log.info('call claimed');
    call.done
      .then(() => {
        if (this.calls.get(job.job_id) === call) this.calls.delete(job.job_id);
        this.adopted.delete(call);
        log.info('call done');
        this.onSlot?.();
      })
      .catch((error: unknown) => log.error({ err: error }, 'a call could not be released'));
  }
}
