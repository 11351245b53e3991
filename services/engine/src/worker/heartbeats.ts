import type { Logger } from '@parley/runtime';
import type { Platform } from './platform';

/** A lease that has to be renewed. */
export interface Leased {
  readonly jobId: string;
  readonly epoch: number;
  readonly leaseSeconds: number;
  cancelRequested(): void;
  leaseLost(): void;
}

/** Maximum delay after a failed heartbeat; the minimum is half of it. */
const retryMs = 500;

/** The minimum time before another heartbeat is sent if one gets no response. */
const soonestMs = 250;

/** Maximum number of heartbeats without a response yet. */
const mostUnanswered = 5;

/**
 * Renews the leases of all live calls, with one request per third of the shortest lease. If a heartbeat gets no prompt response, another one is sent, which may
 * reach another replica: no lease is lost because one replica has stopped. An unavailable platform ends no call: only the platform decides that a lease is
 * lost, and it revokes none while it cannot receive heartbeats.
 */
export class Heartbeats {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Number.POSITIVE_INFINITY;
  /** A heartbeat is due and no response has arrived yet. */
  private beating = false;
  private unanswered = 0;

  /** @param random between 0 and 1; adds jitter, so that not all engines send at the same time */
  constructor(
    private readonly platform: Pick<Platform, 'heartbeat'>,
    private readonly workerId: string,
    private readonly leases: ReadonlyMap<string, Leased>,
    private readonly log: Logger,
    private readonly random: () => number = Math.random,
  ) {}

  /** Called when a lease was added. A heartbeat that is due earlier is not moved. */
  keep(): void {
    const ms = this.everyMs();
    if (!this.beating && performance.now() + ms < this.dueAt) this.arm(ms);
  }

  stop(): void {
    this.disarm();
  }

  private disarm(): void {
    clearTimeout(this.timer);
    this.dueAt = Number.POSITIVE_INFINITY;
  }

  private everyMs(): number {
    const shortest = Math.min(...[...this.leases.values()].map(({ leaseSeconds }) => leaseSeconds));
    return (shortest * 1000) / 3;
  }

  private arm(ms: number): void {
    this.disarm();
    if (this.leases.size === 0) {
      this.beating = false;
      return;
    }
    this.dueAt = performance.now() + ms;
    this.timer = setTimeout(() => this.beat(), ms);
  }

  private beat(): void {
    this.dueAt = Number.POSITIVE_INFINITY;
    this.beating = this.leases.size > 0;
    if (!this.beating) return;
    if (this.unanswered < mostUnanswered) this.attempt();
    this.arm(Math.max(soonestMs, this.everyMs() / 5));
  }

  private attempt(): void {
    this.unanswered += 1;
    this.send()
      .finally(() => (this.unanswered -= 1))
      .then(
        () => {
          if (!this.beating) return;
          this.beating = false;
          this.arm(this.leases.size > 0 ? this.everyMs() : 0);
        },
        (error: unknown) => {
          this.log.warn({ err: error, leases: this.leases.size }, 'a heartbeat was not accepted');
          const ms = retryMs * (0.5 + this.random() / 2);
          if (this.beating && (this.unanswered === 0 || performance.now() + ms < this.dueAt)) this.arm(ms);
        },
      );
  }

  private async send(): Promise<void> {
    const leases = [...this.leases.values()].map(({ jobId, epoch }) => ({ job_id: jobId, epoch }));
    const answer = await this.platform.heartbeat({ worker_id: this.workerId, leases });
    for (const lease of answer.leases) {
      const held = this.leases.get(lease.job_id);
      if (held === undefined || held.epoch !== lease.epoch) continue;
      if (lease.state === 'lost') held.leaseLost();
      else if (lease.cancel_requested) held.cancelRequested();
    }
  }
}
