import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { taskFailures } from './poller';

export { Registry } from 'prom-client';

/** Called once per finished call: the rpc (`AuthService/VerifyToken`), `OK` or the error's code, seconds. */
export type RpcObserver = (rpc: string, code: string, seconds: number) => void;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Milliseconds between two samples of the event loop's delay: each wakes the process, and Node's default of 10 would dominate the cost of an idle process. */
const LOOP_DELAY_EVERY_MS = 100;

/** The registry of a process, with Node's own metrics. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MS });
  return registry;
}

/** parley_background_task_failures_total by `task`, initialized to 0. `job` would collide with the label that Prometheus sets for every target. */
export function observeBackgroundTasks(registry: Registry): void {
  const counter = new Counter({
    name: 'parley_background_task_failures_total',
    help: 'Runs of background tasks that failed; each is tried again',
    labelNames: ['task'],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [task, failures] of taskFailures) counter.inc({ task }, failures);
    },
  });
}

/** rpc_server_call_duration_seconds and rpc_client_call_duration_seconds, named after OpenTelemetry, by `rpc_method` and `code`. */
export function rpcObserver(registry: Registry, side: 'server' | 'client'): RpcObserver {
  const histogram = new Histogram({
    name: `rpc_${side}_call_duration_seconds`,
    help: `Duration of gRPC calls, measured by the ${side}`,
    labelNames: ['rpc_method', 'code'],
    buckets: SECONDS,
    registers: [registry],
  });
  // Resolving labels costs more than the observation itself.
  const series = new Map<string, { observe(seconds: number): void }>();
  return (rpc, code, seconds) => {
    const key = `${rpc} ${code}`;
    let one = series.get(key);
    if (one === undefined) series.set(key, (one = histogram.labels(rpc, code)));
    one.observe(seconds);
  };
}

/** parley_postgresql_pool_connections by state: total, idle, waiting (requests that wait for a connection). */
export function observePool(registry: Registry, pool: Pool): void {
  const gauge = new Gauge({
    name: 'parley_postgresql_pool_connections',
    help: 'Connections of the pool: open, of them idle, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      gauge.set({ state: 'total' }, pool.totalCount);
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}

/** Several scrapers come at short intervals; they share one read of the values behind the gauges. */
const REUSE_READ_MS = 1_000;

/**
 * Gauges that one question answers when the metrics are read, such as the depth of a table. A question that fails, as while its server
 * is away, leaves these gauges out and the others as they are.
 * @param gauges help by name; no labels
 * @param read the values by name
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
