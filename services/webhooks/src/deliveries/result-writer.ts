import { append } from '@parley/outbox';
import type { Clock, Database, Logger, Queryable } from '@parley/runtime';
import { auditEvent, Batcher } from '@parley/service';
import type { EndpointQueue } from './endpoint-queue';
import {
  parkEndpoints,
  parkWaiting,
  resumeStranded,
  writeResults,
  writeHealth,
  type QueueChange,
  type ParkingOrder,
  type Result,
} from './results.cross-tenant.sql';
import { parkAfterDays } from './schedule.rules';

/** A result of an attempt, to be written. */
export interface Outcome {
  readonly queue: EndpointQueue;
  readonly result: Result;
  /** Set after 410 Gone: the endpoint is parked at once if this is still its destination version. */
  readonly goneVersion?: number;
  /** Called after the result is written. */
  readonly written: () => void;
}

export interface ResultWriterOptions {
  readonly db: Database;
  readonly replica: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly onParked: (endpointIds: readonly string[]) => void;
}

const batchRows = 500;
const backoffMs = { first: 50, most: 2_000 } as const;

/** Writes results in batches: each contains everything that arrived while the previous one was written. Retries until they are written. */
export class ResultWriter {
  private readonly batcher = new Batcher<Outcome, void>({
    run: async (_, batch) => {
      await this.writeUntilDone(batch);
      return batch.map(() => ({ value: undefined }));
    },
    mostItems: batchRows,
    // Every result must be written, so the number of waiting ones is not limited here; the dispatcher limits the attempts in progress.
    mostWaiting: Infinity,
  });

  constructor(private readonly options: ResultWriterOptions) {}

  push(outcome: Outcome): void {
    this.batcher.submit('', outcome).then(outcome.written, (error: unknown) => {
      this.options.log.fatal({ err: error }, 'a result is lost');
    });
  }

  /** Resolves when all results added so far are written. */
  settled(): Promise<void> {
    return this.batcher.idle();
  }

  private async writeUntilDone(batch: readonly Outcome[]): Promise<void> {
    for (let delay: number = backoffMs.first; ; delay = Math.min(delay * 2, backoffMs.most)) {
      try {
        await this.write(batch);
        return;
      } catch (error) {
        this.options.log.warn(
          { err: error, results: batch.length, retry_in_ms: delay },
          'results could not be written yet',
        );
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  private async write(batch: readonly Outcome[]): Promise<void> {
    const results = batch.map(({ result }) => result);
    const gone = batch.filter(({ goneVersion }) => goneVersion !== undefined);
    if (gone.length === 0) await writeResults(this.options.db, results);
    else {
      const orders = gone.map(({ queue, goneVersion = null }) => ({
        endpointId: queue.endpointId,
        destVersion: goneVersion,
      }));
      await this.park(orders, 'gone', async (tx) => {
        await writeResults(tx, results);
        const answers = gone.map(({ result }) => result.deliveryId);
        await resumeStranded(tx, answers);
      });
    }
    await this.writeQueues(batch);
  }

  private async writeQueues(batch: readonly Outcome[]): Promise<void> {
    const changes = [...new Set(batch.map(({ queue }) => queue))].filter(
      ({ state, written }) => state.health !== written.health || state.failures !== written.failures,
    );
    if (changes.length === 0) return;
    const { db, replica } = this.options;
    const states = new Map(changes.map((queue) => [queue, queue.state]));
    const rows = changes.map((queue): QueueChange => ({ endpointId: queue.endpointId, ...queue.state }));
    const failing = await writeHealth(db, replica, rows, parkAfterDays);
    if (failing.length > 0) {
      const orders = failing.map((endpointId) => ({ endpointId, destVersion: null }));
      await this.park(orders, 'failing');
    }
    for (const [queue, state] of states) queue.written = state;
  }

  /**
   * Parks endpoints and their waiting deliveries, with an audit event for each endpoint, in one transaction with `work`. Endpoints are locked before
   * deliveries, as in every change of an endpoint.
   */
  private async park(
    orders: readonly ParkingOrder[],
    reason: 'gone' | 'failing',
    work: (tx: Queryable) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { db, clock, onParked } = this.options;
    const parked = await db.transaction(async (tx) => {
      const endpoints = await parkEndpoints(tx, orders);
      await work(tx);
      const acts = endpoints.map(({ id, organization_id: organizationId }) =>
        auditEvent(
          { organizationId, action: 'agent_endpoint.parked', subject: id, detail: { reason } },
          clock.now(),
          {},
        ),
      );
      await append(tx, acts);
      const ids = endpoints.map(({ id }) => id);
      await parkWaiting(tx, ids);
      return ids;
    });
    onParked(parked);
  }
}
