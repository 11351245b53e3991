import { poller, type Background, type Clock, type Database, type Logger, type Poller } from '@parley/runtime';
import { afterAttempt, type Standing } from '../domain/lane-standing';
import { allot, sharesOf, type SlotShares } from '../domain/slots';
import { dueDeliveries, type DueDelivery } from '../db/jobs/due-deliveries';
import { leaseLanes, leaveLanes, renewLanes } from '../db/jobs/lanes';
import { attempt, type Attempted, type AttemptTools } from './attempt';
import { heldLane, isIdle, usageOf, type HeldLane, type Usage } from './held-lane';
import type { Meters } from './meters';
import { ResultWriter } from './result-writer';

export interface DispatcherOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly meters: Meters;
  readonly tools: AttemptTools;
  /** Unique to this process. */
  readonly replica: string;
  /** Attempts under way at once, over all lanes. */
  readonly slots: number;
  readonly leaseSeconds: number;
  /** Milliseconds between two looks without a nudge: due retries, and events that another replica took in. */
  readonly pollMs?: number;
}

const standings: readonly Standing[] = ['healthy', 'unproven', 'failing'];

/** How long a lane is kept while others of its group wait for a replica; the others leave after one turn. */
const tenureMs: Readonly<Record<Standing, number>> = { healthy: 2_000, unproven: 0, failing: 0 };

/**
 * Works the lanes of this replica. One pass after the other: renew and take leases, look up what is due in the lanes
 * that have room, begin attempts, give idle lanes back. Attempts run beside the passes; their results are written in
 * batches. A process that dies leaves its lanes to others when the leases run out, and every delivery without a written
 * result is attempted again.
 */
export class Dispatcher implements Background {
  readonly name = 'dispatcher';
  private readonly lanes = new Map<string, HeldLane>();
  private readonly busy = new Set<string>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly shares: SlotShares;
  private readonly writer: ResultWriter;
  private readonly passes: Poller;
  private readonly leaseMs: number;
  private readonly pollMs: number;
  private lookForLanes = true;
  private lookedAtMs = -Infinity;
  private renewedAtMs = -Infinity;

  constructor(private readonly options: DispatcherOptions) {
    const { db, log, clock, replica, meters } = options;
    this.shares = sharesOf(options.slots);
    this.leaseMs = options.leaseSeconds * 1000;
    this.pollMs = options.pollMs ?? 200;
    this.writer = new ResultWriter(db, replica, log, (ids) => this.parked(ids));
    this.passes = poller({ name: this.name, everyMs: this.pollMs, log, clock, run: () => this.pass() });
    meters.lanes(() => usageOf(this.lanes.values()));
  }

  start(): void {
    void this.passes.start();
  }

  /** Begins nothing more, waits for what is under way (15 s at most), writes its results, gives the lanes back. */
  async stop(): Promise<void> {
    await this.passes.stop();
    await Promise.all(this.underWay);
    await this.writer.settled();
    const { db, replica, log } = this.options;
    await leaveLanes(db, replica, [...this.lanes.keys()]).catch((error: unknown) => {
      log.warn({ err: error }, 'lanes could not be given back; their leases run out');
    });
    this.lanes.clear();
  }

  /** New deliveries were committed for these endpoints. Never throws. */
  nudge(endpointIds: Iterable<string>): void {
    for (const id of endpointIds) {
      const lane = this.lanes.get(id);
      if (lane === undefined) this.lookForLanes = true;
      else this.hearOf(lane);
    }
    this.passes.nudge();
  }

  private hearOf(lane: HeldLane): void {
    lane.dry = false;
    lane.news += 1;
  }

  private now(): number {
    return this.options.clock.monotonicMs();
  }

  private async pass(): Promise<void> {
    const now = this.now();
    if (now - this.lookedAtMs >= this.pollMs) {
      this.lookedAtMs = now;
      this.lookForLanes = true;
      for (const lane of this.lanes.values()) this.hearOf(lane);
    }
    if (now - this.renewedAtMs >= this.leaseMs / 4) await this.renew();
    if (this.lookForLanes) await this.lease();
    await this.begin();
    await this.leaveIdle();
  }

  private async renew(): Promise<void> {
    const sentAt = this.now();
    if (this.lanes.size > 0) {
      const { db, replica, leaseSeconds } = this.options;
      const kept = new Set(await renewLanes(db, replica, leaseSeconds));
      for (const lane of this.lanes.values()) {
        lane.safeUntilMs = kept.has(lane.endpointId) ? this.safeUntil(sentAt) : -Infinity;
      }
    }
    this.renewedAtMs = sentAt;
  }

  /** A tenth less than the lease, from the moment before the database was asked: its clock may run faster than ours. */
  private safeUntil(askedAtMs: number): number {
    return askedAtMs + this.leaseMs * 0.9;
  }

  private async lease(): Promise<void> {
    const usage = usageOf(this.lanes.values());
    const room = (standing: Standing): number => Math.max(this.shares[standing] - usage[standing].held, 0);
    const limits = { healthy: room('healthy'), unproven: room('unproven'), failing: room('failing') };
    this.lookForLanes = false;
    if (standings.every((standing) => limits[standing] === 0)) return;
    const askedAt = this.now();
    const { db, replica, leaseSeconds } = this.options;
    for (const leased of await leaseLanes(db, replica, leaseSeconds, limits)) {
      const before = this.lanes.get(leased.endpoint_id);
      if (before === undefined) {
        this.lanes.set(leased.endpoint_id, heldLane(leased, askedAt, this.safeUntil(askedAt)));
        continue;
      }
      // Our own lease ran out and we took it again: what is still under way stays counted.
      this.hearOf(before);
      Object.assign(before, { sinceMs: askedAt, safeUntilMs: this.safeUntil(askedAt), served: false });
    }
  }

  private async begin(): Promise<void> {
    const now = this.now();
    const usage = usageOf(this.lanes.values());
    const open = [...this.lanes.values()].filter(
      (lane) => !lane.dry && lane.safeUntilMs > now && !this.mustYield(lane, now, usage),
    );
    const slots = this.allotTo(open, usage);
    if (slots.size === 0) return;
    const newsBefore = new Map(open.map((lane) => [lane, lane.news]));
    const due = await dueDeliveries(this.options.db, slots, [...this.busy]);
    const found = new Map<string, number>();
    for (const delivery of due) {
      const lane = this.lanes.get(delivery.endpoint_id);
      if (lane === undefined) continue;
      found.set(lane.endpointId, (found.get(lane.endpointId) ?? 0) + 1);
      this.take(lane, delivery);
    }
    for (const lane of open) {
      const wanted = slots.get(lane.endpointId);
      if (wanted === undefined || newsBefore.get(lane) !== lane.news) continue;
      lane.dry = (found.get(lane.endpointId) ?? 0) < wanted;
    }
  }

  private allotTo(open: readonly HeldLane[], usage: Usage): Map<string, number> {
    const inOpen = usageOf(open);
    // What lanes that begin nothing now still hold is taken off their group's share.
    const share = (standing: Standing): number =>
      this.shares[standing] - usage[standing].inFlight + inOpen[standing].inFlight;
    const demands = open.map(({ endpointId, organizationId, state, inFlight }) => ({
      endpointId,
      organizationId,
      standing: state.standing,
      window: state.window,
      inFlight,
    }));
    return allot(demands, { healthy: share('healthy'), unproven: share('unproven'), failing: share('failing') });
  }

  /** While every place of its group is taken, a lane that had its turn makes room for one that waits. */
  private mustYield({ state: { standing }, served, sinceMs }: HeldLane, now: number, usage: Usage): boolean {
    return served && usage[standing].held >= this.shares[standing] && now - sinceMs >= tenureMs[standing];
  }

  private take(lane: HeldLane, delivery: DueDelivery): void {
    this.busy.add(delivery.id);
    lane.served = true;
    lane.unwritten += 1;
    if (delivery.disposition !== 'send') {
      this.giveUp(lane, delivery, delivery.disposition);
      return;
    }
    lane.inFlight += 1;
    if (delivery.attempt_count === 0) this.options.meters.firstAttempt(delivery.age_ms / 1000);
    const work = attempt(delivery, this.options.tools).then((attempted) => {
      this.underWay.delete(work);
      this.ended(lane, delivery, attempted);
    });
    this.underWay.add(work);
  }

  private giveUp(lane: HeldLane, delivery: DueDelivery, status: 'canceled' | 'parked'): void {
    const result = {
      organizationId: delivery.organization_id,
      deliveryId: delivery.id,
      number: 0,
      status,
      startedAt: this.options.clock.now(),
      latencyMs: 0,
      responseBody: '',
    };
    this.writer.push({ lane, result, gone: false, written: () => this.written(lane, delivery.id) });
  }

  private ended(lane: HeldLane, delivery: DueDelivery, { verdict, result }: Attempted): void {
    lane.inFlight -= 1;
    lane.state = afterAttempt(lane.state, verdict.kind === 'delivered');
    this.options.meters.attempt(verdict.kind, result.latencyMs / 1000);
    const { number, httpStatus, error } = result;
    this.options.log.debug(
      { delivery_id: delivery.id, endpoint_id: lane.endpointId, attempt: number, status: httpStatus, error },
      'attempted',
    );
    this.writer.push({ lane, result, gone: verdict.kind === 'gone', written: () => this.written(lane, delivery.id) });
    this.passes.nudge();
  }

  private written(lane: HeldLane, deliveryId: string): void {
    lane.unwritten -= 1;
    this.busy.delete(deliveryId);
    this.passes.nudge();
  }

  private async leaveIdle(): Promise<void> {
    const now = this.now();
    const usage = usageOf(this.lanes.values());
    const idle: string[] = [];
    for (const lane of this.lanes.values()) {
      if (!isIdle(lane)) continue;
      if (lane.safeUntilMs <= now) this.lanes.delete(lane.endpointId);
      else if (lane.dry || this.mustYield(lane, now, usage)) idle.push(lane.endpointId);
    }
    if (idle.length === 0) return;
    for (const id of idle) this.lanes.delete(id);
    const stillDue = await leaveLanes(this.options.db, this.options.replica, idle);
    // Room was made: for a lane that waited, or for the rest of one that made way.
    if (stillDue) this.lookForLanes = true;
    if (this.lookForLanes) this.passes.nudge();
  }

  private parked(endpointIds: readonly string[]): void {
    if (endpointIds.length === 0) return;
    this.options.meters.parked(endpointIds.length);
    this.options.log.warn({ endpoint_ids: endpointIds }, 'endpoints parked; their deliveries wait to be recovered');
  }
}
