import { unauthorized } from '@parley/errors';
import type { Background, Clock, Database, Logger } from '@parley/runtime';
import { claimBatch, type ClaimedBatch } from './claim-batch';
import type { ClaimedJob, ClaimScope } from './job.rules';
import type { PausedScopes } from './paused-scopes';

export interface ClaimRequest {
  /** Empty: jobs of any organization. */
  readonly organizationId: string;
  readonly kinds: readonly string[];
  readonly workerId: string;
  readonly capacity: number;
  readonly waitMs: number;
  /** The worker's capabilities, and the digest of its declaration. */
  readonly capabilities: readonly string[];
  readonly declaration: string;
  /** Whether the worker's credential was revoked, according to a current control state. */
  refused(): boolean;
}

export interface HandedJob extends ClaimedJob {
  /** When the claim was requested, by the monotonic clock: the lease lasts at least until this time plus the lease duration. */
  readonly claimedMs: number;
}

interface Waiter {
  readonly request: ClaimRequest;
  /** Aborted when the worker disconnects. */
  readonly signal: AbortSignal;
  /** The listener of the signal. It must be removed: Node keeps a signal made by `AbortSignal.any` as long as it has a listener. */
  readonly giveUp: () => void;
  readonly deadlineMs: number;
  readonly resolve: (jobs: readonly HandedJob[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface JobQueueOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly leaseSeconds: number;
  /** The scopes that are currently paused; undefined: all of them (maintenance, or an unknown control state). */
  held(): Promise<PausedScopes | undefined>;
  /** How often the table is polled while a claim waits and no wake-up arrives. Default: 500 ms. */
  readonly pollMs?: number;
}

/**
 * Minimum interval between the starts of two rounds requested by wake-ups. A wake-up after a pause starts a round at once; of frequent wake-ups, one round
 * serves all that arrived in between.
 */
const betweenRoundsMs = 20;

/** Retry delay after another process had locked the wanted queues. */
const contendedMs = 15;

/**
 * Assigns jobs to the claims that wait in this process. One round at a time tries all waiting claims in order of arrival. A round starts when a claim arrives,
 * when a job may have been enqueued (`wake`), and otherwise every `pollMs`. The cost of an empty queue is one query per scope and round, however many workers
 * wait.
 */
export class JobQueue implements Background {
  readonly name = 'job-queue';
  private readonly waiters = new Set<Waiter>();
  /** The claim that the current round serves. It receives the result even if it is aborted in the meantime, so that the job can be returned to the queue. */
  private served: Waiter | undefined;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  /** Whether a claim arrived during a round. */
  private again = false;
  /** Whether a wake-up arrived during a round. */
  private woken = false;
  /** Scopes without a job in the last round: for these the next round checks with a read before it claims. */
  private idle: ReadonlySet<string> = new Set();
  private begunAt = -Infinity;
  private stopped = false;

  constructor(private readonly options: JobQueueOptions) {}

  start(): void {
    this.stopped = false;
  }

  /** All waiting claims return without a job. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
    for (const waiter of this.waiters) this.settle(waiter, []);
  }

  /** Waits up to `waitMs` for jobs; returns an empty list if the signal is aborted first. */
  claim(request: ClaimRequest, signal: AbortSignal): Promise<readonly HandedJob[]> {
    if (this.stopped || signal.aborted) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        request,
        signal,
        giveUp: () => {
          if (this.served !== waiter) this.settle(waiter, []);
        },
        deadlineMs: this.options.clock.monotonicMs() + request.waitMs,
        resolve,
        reject,
      };
      this.waiters.add(waiter);
      signal.addEventListener('abort', waiter.giveUp, { once: true });
      this.poll();
    });
  }

  /** A job may have been enqueued: starts a round soon. Does nothing while no claim waits. */
  wake(): void {
    if (this.stopped || this.waiters.size === 0) return;
    if (this.round !== undefined) {
      this.woken = true;
      return;
    }
    this.lookIn(this.restMs());
  }

  /** Schedules the next round after this delay instead of the previously planned one; runs it immediately for 0. */
  private lookIn(ms: number): void {
    clearTimeout(this.timer);
    if (ms > 0) this.timer = setTimeout(() => this.poll(), ms);
    else this.poll();
  }

  private poll(): void {
    if (this.stopped || this.waiters.size === 0) return;
    if (this.round !== undefined) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.round = this.runRounds().finally(() => {
      this.round = undefined;
    });
  }

  /** How long a round requested only by a wake-up must still wait. */
  private restMs(): number {
    return Math.max(0, this.begunAt + betweenRoundsMs - this.options.clock.monotonicMs());
  }

  private settle(waiter: Waiter, jobs: readonly HandedJob[]): void {
    if (this.remove(waiter)) waiter.resolve(jobs);
  }

  private remove(waiter: Waiter): boolean {
    waiter.signal.removeEventListener('abort', waiter.giveUp);
    return this.waiters.delete(waiter);
  }

  private async runRounds(): Promise<void> {
    let contended: boolean;
    do {
      this.again = false;
      this.woken = false;
      this.begunAt = this.options.clock.monotonicMs();
      contended = await this.runRound().catch((error: unknown) => this.fail(error));
    } while (this.again && !this.stopped);
    if (this.stopped || this.waiters.size === 0) return;
    const planned = contended ? contendedMs : this.untilNext();
    this.timer = setTimeout(() => this.poll(), this.woken ? Math.min(planned, this.restMs()) : planned);
  }

  /** Tries every waiting claim once. Returns whether another process had locked a wanted queue. */
  private async runRound(): Promise<boolean> {
    const held = await this.options.held();
    const empty = new Set<string>();
    let contended = false;
    for (const waiter of [...this.waiters]) {
      if (!this.waiters.has(waiter) || this.stopped) continue;
      if (held !== undefined && waiter.request.refused()) {
        this.waiters.delete(waiter);
        waiter.reject(unauthorized());
        continue;
      }
      const scope = scopeOf(waiter.request, this.options.leaseSeconds, held);
      const key = `${scope.organizationId} ${scope.kinds.join(',')} ${scope.declaration}`;
      if (held !== undefined && !empty.has(key)) {
        const batch = await this.serve(waiter, scope, this.idle.has(key));
        if (batch.jobs.length > 0) continue;
        empty.add(key);
        contended ||= batch.contended;
      }
      if (this.options.clock.monotonicMs() >= waiter.deadlineMs) this.settle(waiter, []);
    }
    this.idle = empty;
    return contended;
  }

  private async serve(waiter: Waiter, scope: ClaimScope, looksFirst: boolean): Promise<ClaimedBatch> {
    this.served = waiter;
    try {
      const claimedMs = this.options.clock.monotonicMs();
      const batch = await claimBatch(this.options.db, scope, waiter.request.capacity, looksFirst);
      const jobs = batch.jobs.map((job) => ({ ...job, claimedMs }));
      if (batch.jobs.length > 0 || waiter.signal.aborted) this.settle(waiter, jobs);
      return batch;
    } finally {
      this.served = undefined;
    }
  }

  /** The database is unavailable: the waiting claims return an empty list, and their workers retry. */
  private fail(error: unknown): boolean {
    this.options.log.warn({ err: error, waiting: this.waiters.size }, 'jobs could not be claimed');
    for (const waiter of this.waiters) {
      this.remove(waiter);
      waiter.reject(error);
    }
    return false;
  }

  private untilNext(): number {
    const now = this.options.clock.monotonicMs();
    const deadlines = [...this.waiters].map((waiter) => waiter.deadlineMs - now);
    return Math.max(1, Math.min(this.options.pollMs ?? 500, ...deadlines));
  }
}

function scopeOf(request: ClaimRequest, leaseSeconds: number, held: PausedScopes | undefined): ClaimScope {
  return {
    organizationId: request.organizationId,
    kinds: request.kinds,
    workerId: request.workerId,
    capabilities: request.capabilities,
    declaration: request.declaration,
    leaseSeconds,
    heldOrganizations: held?.organizationIds ?? [],
    heldAgents: held?.agentIds ?? [],
  };
}
