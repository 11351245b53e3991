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

/** After a heartbeat that did not arrive the next one comes this soon. */
const retryMs = 500;

/**
 * Keeps the leases of all live calls, with one request each third of the shortest lease. A platform that does not answer
 * ends no call: it alone decides which lease is lost, and while it cannot be reached it takes no other worker's word either.
 */
export class Heartbeats {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Number.POSITIVE_INFINITY;
  private beating = false;

  constructor(
    private readonly platform: Pick<Platform, 'heartbeat'>,
    private readonly workerId: string,
    private readonly leases: ReadonlyMap<string, Leased>,
    private readonly log: Logger,
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
    if (this.leases.size === 0) return;
    this.dueAt = performance.now() + ms;
    this.timer = setTimeout(() => this.beat(), ms);
  }

  private beat(): void {
    this.dueAt = Number.POSITIVE_INFINITY;
    if (this.leases.size === 0) return;
    this.beating = true;
    this.send().then(
      () => this.after(this.leases.size > 0 ? this.everyMs() : 0),
      (error: unknown) => {
        this.log.warn({ err: error, leases: this.leases.size }, 'a heartbeat was not taken');
        this.after(retryMs);
      },
    );
  }

  private after(ms: number): void {
    this.beating = false;
    this.arm(ms);
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
