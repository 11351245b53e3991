import { observeBy, type Database, type Registry } from '@parley/runtime';
import { Counter, Gauge, Histogram } from 'prom-client';
import { countAtMost, readDepths } from './depths.cross-tenant.sql';
import type { Usage } from './endpoint-queue';

export interface DeliveryMetrics {
  attempt(outcome: string, seconds: number): void;
  /** Records the seconds from the creation of a delivery to its first attempt. */
  firstAttempt(seconds: number): void;
  parked(endpoints: number): void;
  /** Sets the function that returns the usage of queues when the metrics are read. */
  queues(read: () => Usage): void;
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

export function createDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const attempts = new Histogram({
    name: 'parley_webhook_attempt_duration_seconds',
    help: 'Duration of attempts, by outcome',
    labelNames: ['outcome'],
    buckets: seconds,
    registers: [registry],
  });
  const first = new Histogram({
    name: 'parley_webhook_first_attempt_delay_seconds',
    help: 'Time from the arrival of an event to the first attempt of each of its deliveries',
    buckets: seconds,
    registers: [registry],
  });
  const parked = new Counter({
    name: 'parley_webhook_endpoints_parked_total',
    help: 'Endpoints parked',
    registers: [registry],
  });
  return {
    attempt: (outcome, value) => attempts.observe({ outcome }, value),
    firstAttempt: (value) => first.observe(value),
    parked: (count) => parked.inc(count),
    queues: (read) => {
      const shape = { labelNames: ['health'] as const, registers: [registry] };
      const leased = new Gauge({
        ...shape,
        name: 'parley_webhook_leased_endpoints',
        help: 'Endpoints whose deliveries this replica has leased, by health',
        collect: () => {
          for (const [health, { held }] of Object.entries(read())) leased.set({ health }, held);
        },
      });
      const inFlight = new Gauge({
        ...shape,
        name: 'parley_webhook_attempts_in_flight',
        help: 'Attempts in progress, by the health of their endpoints',
        collect: () => {
          for (const [health, usage] of Object.entries(read())) inFlight.set({ health }, usage.inFlight);
        },
      });
    },
  };
}

/**
 * Metrics of endpoints with a due delivery, read from the database; all replicas report the same values.
 */
export function observeDeliveries(registry: Registry, db: Database): void {
  observeBy(
    registry,
    {
      parley_webhook_due_endpoints: `Endpoints with a due delivery that no replica has leased; at most ${countAtMost}`,
      parley_webhook_oldest_due_endpoint_seconds: 'How long the longest-waiting of them has been due',
      parley_webhook_expired_leases: 'Leases that expired because their replica died; another replica takes over',
    },
    async () => {
      const { due, oldest, lost } = await readDepths(db);
      return {
        parley_webhook_due_endpoints: due,
        parley_webhook_oldest_due_endpoint_seconds: Math.max(0, oldest),
        parley_webhook_expired_leases: lost,
      };
    },
  );
}
