import type { Clock, Database } from '@parley/runtime';
import { endpointQueue, isIdle, usageOf, type EndpointQueue, type Usage } from './endpoint-queue';
import type { HealthState } from './endpoint-health.rules';
import { leaseEndpoints, releaseEndpoints, renewLeases } from './endpoint-leases.cross-tenant.sql';
import { allot, type SlotShares } from './slots.rules';

export interface EndpointLeasesOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** The name of this process in leases; unique. */
  readonly replica: string;
  readonly leaseSeconds: number;
  readonly shares: SlotShares;
}

const healthStates: readonly HealthState[] = ['healthy', 'unproven', 'failing'];

/**
 * A lease is renewed after this part of its duration. Each renewal leaves a row version, but a lease must not expire while this process runs: a renewal that
 * fails is tried again after 200 to 400 ms, and leases of less than two seconds have the time for this only after a quarter.
 */
const renewAfter = (leaseSeconds: number): number => (leaseSeconds < 2 ? 1 / 4 : 1 / 2);

/** How long a healthy queue stays leased at least while others of its health group wait; queues of the other groups yield after one turn. */
const minLeaseMs: Readonly<Record<HealthState, number>> = { healthy: 2_000, unproven: 0, failing: 0 };

/**
 * A healthy queue that is leased again within this time after its release is busy, and then stays leased for this time after its last attempt began. Without
 * this, each delivery of an endpoint with several a second would update the row of its queue three times.
 */
const lingerMs = 2_000;

/** Maximum of queues whose release is remembered; with more, all are forgotten. */
const mostReleases = 10_000;

/** The queues leased to this replica: until when the leases are certainly valid, and how many attempts each queue may start. */
export class EndpointLeases {
  private readonly queues = new Map<string, EndpointQueue>();
  /** When this replica released queues, by the monotonic clock. */
  private readonly releasedAtMs = new Map<string, number>();
  private readonly leaseMs: number;
  private readonly renewAfterMs: number;

  constructor(private readonly options: EndpointLeasesOptions) {
    this.leaseMs = options.leaseSeconds * 1000;
    this.renewAfterMs = this.leaseMs * renewAfter(options.leaseSeconds);
  }

  get(endpointId: string): EndpointQueue | undefined {
    return this.queues.get(endpointId);
  }

  usage(): Usage {
    return usageOf(this.queues.values());
  }

  /** Marks all queues as possibly having new deliveries. */
  markAllDirty(): void {
    for (const queue of this.queues.values()) markDirty(queue);
  }

  /**
   * Extends leases when one of them needs it, together with those that would need it soon. Queues that are released earlier are not renewed at all. A lease
   * that may have expired is no longer relied on.
   */
  async renewWhenDue(): Promise<void> {
    const sentAt = this.now();
    const aged = (ageMs: number): EndpointQueue[] =>
      [...this.queues.values()].filter(({ safeUntilMs }) => {
        return safeUntilMs !== -Infinity && this.safeUntil(sentAt) - safeUntilMs >= ageMs;
      });
    if (aged(this.renewAfterMs).length === 0) return;
    const { db, replica, leaseSeconds } = this.options;
    const old = aged(this.renewAfterMs / 2);
    const ids = old.map(({ endpointId }) => endpointId);
    const kept = new Set(await renewLeases(db, replica, leaseSeconds, ids));
    for (const queue of old) queue.safeUntilMs = kept.has(queue.endpointId) ? this.safeUntil(sentAt) : -Infinity;
  }

  /** Leases queues with due deliveries, as many as each health group has room for. */
  async lease(): Promise<void> {
    const { db, replica, leaseSeconds, shares } = this.options;
    const usage = this.usage();
    const room = (health: HealthState): number => Math.max(shares[health] - usage[health].held, 0);
    const limits = { healthy: room('healthy'), unproven: room('unproven'), failing: room('failing') };
    if (healthStates.every((health) => limits[health] === 0)) return;
    const askedAt = this.now();
    for (const leased of await leaseEndpoints(db, replica, leaseSeconds, limits)) {
      const before = this.queues.get(leased.endpoint_id);
      if (before === undefined) {
        const busy = askedAt - (this.releasedAtMs.get(leased.endpoint_id) ?? -Infinity) < lingerMs;
        const times = { sinceMs: askedAt, safeUntilMs: this.safeUntil(askedAt), busy };
        this.queues.set(leased.endpoint_id, endpointQueue(leased, times));
        continue;
      }
      // The lease had expired and this replica acquired it again: attempts still in progress remain counted.
      markDirty(before);
      Object.assign(before, { sinceMs: askedAt, safeUntilMs: this.safeUntil(askedAt), served: false });
    }
  }

  /** The queues that may start attempts now, with the number of attempts. */
  room(): Map<EndpointQueue, number> {
    const now = this.now();
    const usage = this.usage();
    const open = [...this.queues.values()].filter(
      (queue) => !queue.drained && queue.safeUntilMs > now && !this.shouldYield(queue, now, usage),
    );
    const slots = this.allotTo(open, usage);
    const room = open.map((queue): [EndpointQueue, number] => {
      return [queue, Math.min(slots.get(queue.endpointId) ?? 0, queue.pace.room(now))];
    });
    return new Map(room.filter(([, free]) => free > 0));
  }

  /** Releases queues that are idle or must yield. Returns whether any of them still has due deliveries. */
  async releaseIdle(): Promise<boolean> {
    const now = this.now();
    const usage = this.usage();
    const idle: string[] = [];
    for (const queue of this.queues.values()) {
      if (!isIdle(queue)) continue;
      if (queue.safeUntilMs <= now) this.queues.delete(queue.endpointId);
      // The next replica would not know of the attempts started in this second, so the queue is kept until the second is over.
      else if (!queue.pace.rested(now) || this.lingers(queue, now, usage)) continue;
      else if (queue.drained || this.shouldYield(queue, now, usage)) idle.push(queue.endpointId);
    }
    return this.leave(idle);
  }

  releaseAll(): Promise<boolean> {
    return this.leave([...this.queues.keys()]);
  }

  private async leave(endpointIds: readonly string[]): Promise<boolean> {
    if (endpointIds.length === 0) return false;
    if (this.releasedAtMs.size >= mostReleases) this.releasedAtMs.clear();
    const now = this.now();
    for (const id of endpointIds) {
      this.queues.delete(id);
      this.releasedAtMs.set(id, now);
    }
    const { db, replica } = this.options;
    return (await releaseEndpoints(db, replica, endpointIds)).length > 0;
  }

  private now(): number {
    return this.options.clock.monotonicMs();
  }

  /**
   * The time until which a lease is relied on: a tenth less than its duration, counted from before the database was queried, because the database's clock may
   * run faster than ours.
   */
  private safeUntil(askedAtMs: number): number {
    return askedAtMs + this.leaseMs * 0.9;
  }

  private allotTo(open: readonly EndpointQueue[], usage: Usage): Map<string, number> {
    const { shares } = this.options;
    const inOpen = usageOf(open);
    // Attempts of queues that cannot start any now are subtracted from their group's share.
    const share = (health: HealthState): number => shares[health] - usage[health].inFlight + inOpen[health].inFlight;
    const demands = open.map(({ endpointId, organizationId, state, inFlight }) => ({
      endpointId,
      organizationId,
      health: state.health,
      window: state.window,
      inFlight,
    }));
    return allot(demands, { healthy: share('healthy'), unproven: share('unproven'), failing: share('failing') });
  }

  /** Whether a drained queue stays leased because more deliveries are likely soon. Half of the share remains for other queues. */
  private lingers({ state: { health }, busy, drained, activeMs }: EndpointQueue, now: number, usage: Usage): boolean {
    if (!busy || !drained || health !== 'healthy') return false;
    return now - activeMs < lingerMs && usage.healthy.held * 2 <= this.options.shares.healthy;
  }

  /** If the share of its group is used up, a queue that had its turn yields to a waiting one. */
  private shouldYield({ state: { health }, served, sinceMs }: EndpointQueue, now: number, usage: Usage): boolean {
    return served && usage[health].held >= this.options.shares[health] && now - sinceMs >= minLeaseMs[health];
  }
}

/** Marks a queue as possibly having new deliveries. */
export function markDirty(queue: EndpointQueue): void {
  queue.drained = false;
  queue.version += 1;
}
