import type { Logger } from '@parley/runtime';
import type { Platform } from './platform';

/** What a lease is kept for. */
export interface Leased {
  readonly jobId: string;
  readonly epoch: number;
  readonly leaseSeconds: number;
  cancelRequested(): void;
  leaseLost(): void;
}

/** After a heartbeat that did not arrive the next one comes this soon at the latest, and half as late at the earliest. */
const retryMs = 500;

/** How soon an unanswered one is followed at the earliest. */
const soonestMs = 250;

/** Heartbeats that are waited for at once, at most. */
const mostUnanswered = 5;

/**
 * Keeps the leases of all live calls, with one request each third of the shortest lease. One that is not answered soon is followed by another one, which
 * may reach another replica: a replica that stopped costs no lease. A platform that does not answer ends no call: it alone decides which lease is lost,
 * and while it cannot hear its workers it takes no lease away.
 */
export class Heartbeats {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Number.POSITIVE_INFINITY;
  /** A heartbeat is due that has not been answered yet. */
  private beating = false;
  private unanswered = 0;

  /** @param random between 0 and 1: engines that lost the platform at once do not come back at once */
  constructor(
    private readonly platform: Pick<Platform, 'heartbeat'>,
    private readonly workerId: string,
    private readonly leases: ReadonlyMap<string, Leased>,
    private readonly log: Logger,
    private readonly random: () => number = Math.random,
  ) {}

  /** To be called when a lease was added. A beat that is due sooner stays where it is. */
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
          this.log.warn({ err: error, leases: this.leases.size }, 'a heartbeat was not taken');
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
