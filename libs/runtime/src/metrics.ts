import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { systemClock, type Clock } from './clock';
import { taskFailures } from './poller';

export { Registry } from 'prom-client';

/** Called once per finished call, with the name of the rpc (`AuthService/VerifyToken`), `OK` or the error's code, and the duration in seconds. */
export type RpcObserver = (rpc: string, code: string, seconds: number) => void;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Milliseconds between two samples of the event loop's delay. Each sample wakes the process; with Node's default of 10 they would dominate the cost of an idle
 * process.
 */
const LOOP_DELAY_EVERY_MS = 100;

/** The registry of a process, with Node's own metrics. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MS });
  return registry;
}

/**
 * parley_background_task_failures_total and parley_background_task_failing_seconds by `task`, initialized to 0. The label is not named `job`, because
 * Prometheus sets a label with that name for every target.
 */
export function observeBackgroundTasks(registry: Registry, clock: Clock = systemClock): void {
  const counter = new Counter({
    name: 'parley_background_task_failures_total',
    help: 'Failed runs of background tasks; each is retried',
    labelNames: ['task'],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [task, { total }] of taskFailures) counter.inc({ task }, total);
    },
  });
  const failing = new Gauge({
    name: 'parley_background_task_failing_seconds',
    help: 'Time since the first of the last, uninterrupted failures of a background task; 0 after a run without an error',
    labelNames: ['task'],
    registers: [registry],
    collect: () => {
      for (const [task, { failingSinceMs }] of taskFailures) {
        failing.set({ task }, failingSinceMs === undefined ? 0 : (clock.monotonicMs() - failingSinceMs) / 1000);
      }
    },
  });
}

/** Records rpc_server_call_duration_seconds or rpc_client_call_duration_seconds, named after OpenTelemetry, by `rpc_method` and `code`. */
export function rpcObserver(registry: Registry, side: 'server' | 'client'): RpcObserver {
  const histogram = new Histogram({
    name: `rpc_${side}_call_duration_seconds`,
    help: `Duration of gRPC calls, measured by the ${side}`,
    labelNames: ['rpc_method', 'code'],
    buckets: SECONDS,
    registers: [registry],
  });
  // Cached, because resolving labels costs more than the observation itself.
  const series = new Map<string, { observe(seconds: number): void }>();
  return (rpc, code, seconds) => {
    const key = `${rpc} ${code}`;
    let one = series.get(key);
    if (one === undefined) series.set(key, (one = histogram.labels(rpc, code)));
    one.observe(seconds);
  };
}

/** parley_postgresql_pool_connections by state: total, idle, and waiting (requests that wait for a connection). */
export function observePool(registry: Registry, pool: Pool): void {
  const gauge = new Gauge({
    name: 'parley_postgresql_pool_connections',
    help: 'Connections of the pool: open, idle, and requests that are waiting for one',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      gauge.set({ state: 'total' }, pool.totalCount);
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}

/** How long values that were read for the gauges are reused, because several scrapers read the metrics at short intervals. */
const REUSE_READ_MS = 1_000;

/**
 * Gauges whose values are read by one query when the metrics are read, such as the number of rows of a table. If the query fails, for example because its
 * server is unavailable, these gauges are omitted; others are not affected.
 * @param gauges the help texts by name; without labels
 * @param read returns the values by name
 */
export function observeBy<Name extends string>(
  registry: Registry,
  gauges: Readonly<Record<Name, string>>,
  read: () => Promise<Readonly<Record<Name, number>>>,
): void {
  let last: { at: number; values: Promise<Readonly<Record<Name, number>> | undefined> } | undefined;
  const values = () => {
    const now = performance.now();
    if (last === undefined || now - last.at > REUSE_READ_MS) last = { at: now, values: read().catch(() => undefined) };
    return last.values;
  };
  for (const name of Object.keys(gauges) as Name[]) {
    const gauge = new Gauge({
      name,
      help: gauges[name],
      registers: [registry],
      collect: async () => {
        const found = await values();
        if (found === undefined) gauge.remove();
        else gauge.set(found[name]);
      },
    });
  }
}
