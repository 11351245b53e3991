import { unauthorized } from '@parley/errors';
import type { Background, Clock, Database, Logger } from '@parley/runtime';
import type { ClaimedJob, ClaimScope } from './claim.cross-tenant.sql';
import { claimBatch, type ClaimedBatch } from './claim-batch';
import type { PausedScopes } from './paused-scopes';
import { WaitingFloors } from './waiting-floors';

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
  /** Whether its credential was revoked, according to a current control state. */
  refused(): boolean;
}

export interface HandedJob extends ClaimedJob {
  /** Monotonic time of the request: its lease lasts at least until this plus the lease length. */
  readonly claimedMs: number;
}

interface Waiter {
  readonly request: ClaimRequest;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly resolve: (jobs: readonly HandedJob[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface JobQueueOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly leaseSeconds: number;
  /** The scopes that are paused at this moment; undefined: everything (maintenance, or an unknown control state). */
  held(): Promise<PausedScopes | undefined>;
  /** Polling interval of the table while a claim waits without a wake-up; 500 ms by default. */
  readonly pollMs?: number;
}

/**
 * From the beginning of one round to that of the next that a wake-up asked for. A wake-up after a pause is answered at once;
 * while wake-ups keep coming, one round answers all that came meanwhile.
 */
const betweenRoundsMs = 20;

/** Retry delay after another process had the lock on the queues that we wanted. */
const contendedMs = 15;

/**
 * Hands jobs to the workers that wait for them in this process. One round at a time goes over the waiting claims in the
 * order they came; a round is run when somebody comes, when a job may have come (`wake`), and every `pollMs` as a net.
 * However many workers wait, an idle queue costs one look per scope and round.
 */
export class JobQueue implements Background {
  readonly name = 'job-queue';
  private readonly waiters = new Set<Waiter>();
  /** The claim that a round runs for: it receives the result even if it is aborted meanwhile, so that the job can be returned to the queue. */
  private served: Waiter | undefined;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  /** A claim arrived during a round. */
  private again = false;
  /** A wake-up for new jobs arrived during a round. */
  private woken = false;
  /** Scopes without a job in the last round: the next round checks with a read before it claims. */
  private idle: ReadonlySet<string> = new Set();
  private begunAt = -Infinity;
  private stopped = false;

  private readonly floors: WaitingFloors;

  constructor(private readonly options: JobQueueOptions) {
    this.floors = new WaitingFloors(options.db, options.clock);
  }

  start(): void {
    this.stopped = false;
  }

  /** Every waiting claim returns without a job. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
    for (const waiter of this.waiters) this.settle(waiter, []);
  }

  /** Waits up to `waitMs` for jobs; returns none if the signal is aborted first. */
  claim(request: ClaimRequest, signal: AbortSignal): Promise<readonly HandedJob[]> {
    if (this.stopped || signal.aborted) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        request,
        signal,
        deadlineMs: this.options.clock.monotonicMs() + request.waitMs,
        resolve,
        reject,
      };
      this.waiters.add(waiter);
      const giveUp = (): void => {
        if (this.served !== waiter) this.settle(waiter, []);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.look();
    });
  }

  /** A job may have been enqueued: run a round soon. Does nothing while no claim waits. */
  wake(): void {
    if (this.stopped || this.waiters.size === 0) return;
    if (this.round !== undefined) {
      this.woken = true;
      return;
    }
    this.lookIn(this.restMs());
  }

  /** Replaces the planned round by one after this delay; immediately for 0. */
  private lookIn(ms: number): void {
    clearTimeout(this.timer);
    if (ms > 0) this.timer = setTimeout(() => this.look(), ms);
    else this.look();
  }

  private look(): void {
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

  /** How long until the next round that only a wake-up requested may start. */
  private restMs(): number {
    return Math.max(0, this.begunAt + betweenRoundsMs - this.options.clock.monotonicMs());
  }

  private settle(waiter: Waiter, jobs: readonly HandedJob[]): void {
    if (this.waiters.delete(waiter)) waiter.resolve(jobs);
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
    this.timer = setTimeout(() => this.look(), this.woken ? Math.min(planned, this.restMs()) : planned);
  }

  /** Tries every waiting claim once. Returns whether a wanted queue was locked by another process. */
  private async runRound(): Promise<boolean> {
    const held = await this.options.held();
    const floors = await this.floors.current();
    const empty = new Set<string>();
    let contended = false;
    for (const waiter of [...this.waiters]) {
      if (!this.waiters.has(waiter) || this.stopped) continue;
      if (held !== undefined && waiter.request.refused()) {
        this.waiters.delete(waiter);
        waiter.reject(unauthorized());
        continue;
      }
      const scope = { ...scopeOf(waiter.request, this.options.leaseSeconds, held), floors };
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

  /** The database is unavailable: the waiting claims return empty, and their workers retry. */
  private fail(error: unknown): boolean {
    this.options.log.warn({ err: error, waiting: this.waiters.size }, 'jobs could not be claimed');
    for (const waiter of this.waiters) {
      this.waiters.delete(waiter);
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
