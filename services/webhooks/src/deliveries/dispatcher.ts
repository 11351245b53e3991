import { poller, type Background, type Clock, type Database, type Logger, type Poller } from '@parley/runtime';
import { attempt, type Attempted, type AttemptTools } from './attempt';
import { dueDeliveries, type DueDelivery } from './due-deliveries.cross-tenant.sql';
import type { EndpointQueue } from './endpoint-queue';
import { markDirty, EndpointLeases } from './endpoint-leases';
import { nextHealthState } from './endpoint-health.rules';
import type { DeliveryMetrics } from './delivery-metrics';
import { ResultWriter } from './result-writer';
import { sharesOf } from './slots.rules';

export interface DispatcherOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: DeliveryMetrics;
  readonly tools: AttemptTools;
  /** The name of this process in leases; unique. */
  readonly replica: string;
  /** Maximum of concurrent attempts over all queues. */
  readonly slots: number;
  readonly leaseSeconds: number;
  /** Called after audit events were committed. Never throws. */
  readonly onAudit: () => void;
  /** Polling interval in milliseconds without a wake-up; polling finds due retries and events stored by other replicas. */
  readonly pollMs?: number;
}

/**
 * Processes the queues leased to this replica. Each pass renews and acquires leases, queries due deliveries of queues with free slots, starts attempts, and
 * releases idle queues. Attempts run concurrently with the passes, and their results are written in batches. If the process dies, other replicas take its
 * queues when the leases expire, and every delivery without a written result is attempted again.
 */
export class Dispatcher implements Background {
  readonly name = 'dispatcher';
  private readonly book: EndpointLeases;
  /** Deliveries in progress, or whose result is not written yet. */
  private readonly busy = new Map<string, DueDelivery>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly writer: ResultWriter;
  private readonly passes: Poller;
  private readonly pollMs: number;
  private lookForQueues = true;
  private lookedAtMs = -Infinity;

  constructor(private readonly options: DispatcherOptions) {
    const { db, log, clock, replica, leaseSeconds, metrics } = options;
    this.pollMs = options.pollMs ?? 200;
    this.book = new EndpointLeases({ db, clock, replica, leaseSeconds, shares: sharesOf(options.slots) });
    this.writer = new ResultWriter({ db, replica, log, clock, onParked: (ids) => this.parked(ids) });
    this.passes = poller({ name: this.name, everyMs: this.pollMs, log, clock, run: () => this.pass() });
    metrics.queues(() => this.book.usage());
  }

  start(): Promise<void> | void {
    return this.passes.start();
  }

  /** Starts no more attempts, waits for those in progress (15 s at most), writes their results and releases the queues. */
  async stop(): Promise<void> {
    await this.passes.stop();
    await Promise.all(this.underWay);
    await this.writer.settled();
    await this.book.releaseAll().catch((error: unknown) => {
      this.options.log.warn({ err: error }, 'leases could not be released; they will expire');
    });
  }

  /** Called after new deliveries were committed for these endpoints. Never throws. */
  wake(endpointIds: Iterable<string>): void {
    for (const id of endpointIds) {
      const queue = this.book.get(id);
      if (queue === undefined) this.lookForQueues = true;
      else markDirty(queue);
    }
    this.passes.wake();
  }

  private async pass(): Promise<void> {
    const now = this.options.clock.monotonicMs();
    if (now - this.lookedAtMs >= this.pollMs) {
      this.lookedAtMs = now;
      this.lookForQueues = true;
      this.book.markAllDirty();
    }
    await this.book.renewWhenDue();
    if (this.lookForQueues) {
      this.lookForQueues = false;
      await this.book.lease();
    }
    await this.begin();
    // Slots became free for a waiting queue, or for the remaining deliveries of a queue that yielded.
    if (await this.book.releaseIdle()) this.lookForQueues = true;
    if (this.lookForQueues) this.passes.wake();
  }

  private async begin(): Promise<void> {
    const room = this.book.room();
    if (room.size === 0) return;
    const newsBefore = new Map([...room.keys()].map((queue) => [queue, queue.version]));
    const slots = new Map([...room].map(([queue, free]) => [queue.endpointId, free]));
    const due = await dueDeliveries(this.options.db, slots, [...this.busy.keys()]);
    const found = new Map<string, number>();
    for (const delivery of due) {
      const queue = this.book.get(delivery.endpoint_id);
      if (queue === undefined) continue;
      found.set(queue.endpointId, (found.get(queue.endpointId) ?? 0) + 1);
      this.take(queue, delivery);
    }
    for (const [queue, free] of room) {
      // If events arrived during the query, its result may not include them, so the queue does not count as drained.
      if (newsBefore.get(queue) === queue.version) queue.drained = (found.get(queue.endpointId) ?? 0) < free;
    }
  }

  private take(queue: EndpointQueue, delivery: DueDelivery): void {
    this.busy.set(delivery.id, delivery);
    queue.served = true;
    queue.activeMs = this.options.clock.monotonicMs();
    queue.unwritten += 1;
    if (delivery.disposition !== 'send') {
      this.giveUp(queue, delivery, delivery.disposition);
      return;
    }
    queue.inFlight += 1;
    queue.pace.limit = delivery.max_per_second;
    queue.pace.began(this.options.clock.monotonicMs());
    if (delivery.attempt_count === 0) this.options.metrics.firstAttempt(delivery.age_ms / 1000);
    const work = attempt(delivery, this.options.tools)
      .then((attempted) => this.ended(queue, delivery, attempted))
      .catch((error: unknown) =>
        this.options.log.error({ err: error, delivery_id: delivery.id }, 'a delivery attempt crashed'),
      )
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  private giveUp(queue: EndpointQueue, delivery: DueDelivery, status: 'canceled' | 'parked'): void {
    const result = {
      organizationId: delivery.organization_id,
      deliveryId: delivery.id,
      endpointId: delivery.endpoint_id,
      eventId: delivery.event_id,
      eventType: delivery.event_type,
      number: 0,
      status,
      startedAt: this.options.clock.now(),
      latencyMs: 0,
      responseBody: '',
    };
    this.writer.push({ queue, result, written: () => this.written(queue, delivery.id) });
  }

  private ended(queue: EndpointQueue, delivery: DueDelivery, { verdict, result }: Attempted): void {
    queue.inFlight -= 1;
    queue.state = nextHealthState(queue.state, verdict.kind === 'delivered');
    this.options.metrics.attempt(verdict.kind, result.latencyMs / 1000);
    const { number, httpStatus, error } = result;
    this.options.log.debug(
      { delivery_id: delivery.id, endpoint_id: queue.endpointId, attempt: number, status: httpStatus, error },
      'attempted',
    );
    const goneVersion = verdict.kind === 'gone' ? delivery.dest_version : undefined;
    this.writer.push({ queue, result, goneVersion, written: () => this.written(queue, delivery.id) });
    this.passes.wake();
  }

  private written(queue: EndpointQueue, deliveryId: string): void {
    queue.unwritten -= 1;
    this.busy.delete(deliveryId);
    this.passes.wake();
  }

  private parked(endpointIds: readonly string[]): void {
    if (endpointIds.length === 0) return;
    this.options.metrics.parked(endpointIds.length);
    this.options.onAudit();
    this.options.log.warn({ endpoint_ids: endpointIds }, 'endpoints parked; their deliveries wait to be recovered');
  }
}
