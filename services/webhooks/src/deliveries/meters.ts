import { observeBy, type Database, type Registry } from '@parley/runtime';
import { Counter, Gauge, Histogram } from 'prom-client';
import { countAtMost, readDepths } from './depths.cross-tenant.sql';
import type { Usage } from './held-lane';

export interface Meters {
  attempt(outcome: string, seconds: number): void;
  /** Seconds from the delivery's making to its first attempt. */
  firstAttempt(seconds: number): void;
  parked(endpoints: number): void;
  /** Called when the metrics are read. */
  lanes(read: () => Usage): void;
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

export function createMeters(registry: Registry): Meters {
  const attempts = new Histogram({
    name: 'webhook_attempt_seconds',
    help: 'Time that attempts took, by what became of them',
    labelNames: ['outcome'],
    buckets: seconds,
    registers: [registry],
  });
  const first = new Histogram({
    name: 'webhook_first_attempt_delay_seconds',
    help: 'Time from the arrival of an event to the first attempt of each delivery',
    buckets: seconds,
    registers: [registry],
  });
  const parked = new Counter({
    name: 'webhook_endpoints_parked_total',
    help: 'Endpoints parked',
    registers: [registry],
  });
  return {
    attempt: (outcome, value) => attempts.observe({ outcome }, value),
    firstAttempt: (value) => first.observe(value),
    parked: (count) => parked.inc(count),
    lanes: (read) => {
      const gauge = new Gauge({
        name: 'webhook_lanes',
        help: 'Lanes held by this replica and attempts under way, by standing',
        labelNames: ['standing', 'what'],
        registers: [registry],
        collect: () => {
          for (const [standing, { held, inFlight }] of Object.entries(read())) {
            gauge.set({ standing, what: 'held' }, held);
            gauge.set({ standing, what: 'in_flight' }, inFlight);
          }
        },
      });
    },
  };
}

/** Lanes with something due, as they stand in the database; every replica reports the same. */
export function observeDeliveries(registry: Registry, db: Database): void {
  observeBy(
    registry,
    {
      webhook_due_lanes: `Endpoints with a delivery that is due and that no replica works at; at most ${countAtMost}`,
      webhook_oldest_due_lane_seconds: 'For how long the one of them that waits longest has been due',
      webhook_lost_lanes: 'Lanes whose lease ran out: their replica died, and another takes them over',
    },
    async () => {
      const { due, oldest, lost } = await readDepths(db);
      return {
        webhook_due_lanes: due,
        webhook_oldest_due_lane_seconds: Math.max(0, oldest),
        webhook_lost_lanes: lost,
      };
    },
  );
}
