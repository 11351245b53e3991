import { Gauge, type Registry } from 'prom-client';
import type { HealthStatus } from '../grpc/health';

/** Returns undefined if ready, otherwise the reason. */
export type ReadinessCheck = () => Promise<string | undefined>;

/** Optional dependencies of a process by name: undefined if available, otherwise the problem. */
export type Degradations = Readonly<Record<string, string | undefined>>;

export interface ReadinessReport {
  ready: boolean;
  /** The result of each check: 'ok' or the reason. */
  checks: Record<string, string>;
  /** The names of unavailable optional dependencies, with which the process remains ready; absent if there are none. */
  degraded?: string[];
}

/** Results are reused for this long, because probes come from several sources. */
const REUSE_MS = 1_000;
const CHECK_PATIENCE_MS = 2_000;

/**
 * Whether this process should get requests: it has started, is not draining, and all checks succeed. A problem of an optional dependency makes the process
 * degraded, not unready: if it were taken out of service, it would serve nothing at all instead of less.
 */
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private readonly without = new Map<string, () => Promise<Degradations>>();
  private phase: 'starting' | 'running' | 'draining' = 'starting';
  private last: { at: number; report: Promise<ReadinessReport> } | undefined;
  /** The names of all optional dependencies that were ever reported. */
  private readonly named = new Set<string>();

  constructor(
    private readonly health: HealthStatus,
    metrics: Registry,
  ) {
    const gauge: Gauge<'dependency'> = new Gauge({
      name: 'parley_degraded',
      help: 'Whether a dependency of this process is unavailable: 1 while it is',
      labelNames: ['dependency'],
      registers: [metrics],
      collect: async () => {
        const { checks, degraded = [] } = await this.report();
        for (const dependency of Object.keys(checks))
          if (this.named.has(dependency)) gauge.set({ dependency }, Number(degraded.includes(dependency)));
      },
    });
  }

  add(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /** @param name the dependency that is reported if `read` fails */
  addDegradations(name: string, read: () => Promise<Degradations>): void {
    this.without.set(name, read);
  }

  started(): void {
    if (this.phase === 'starting') this.phase = 'running';
    this.last = undefined;
  }

  draining(): void {
    this.phase = 'draining';
    this.last = undefined;
    this.health.set('draining');
  }

  report(): Promise<ReadinessReport> {
    if (this.phase !== 'running') return Promise.resolve({ ready: false, checks: { process: this.phase } });
    const now = performance.now();
    if (this.last === undefined || now - this.last.at > REUSE_MS) this.last = { at: now, report: this.check() };
    return this.last.report;
  }

  private async check(): Promise<ReadinessReport> {
    const [results, without] = await Promise.all([
      Promise.all([...this.checks].map(async ([name, check]) => [name, await outcome(check)] as const)),
      Promise.all([...this.without].map(([name, read]) => degradations(name, read))),
    ]);
    const degradable = without.flatMap((found) => Object.entries(found));
    for (const [name] of degradable) this.named.add(name);
    const ready = results.every(([, reason]) => reason === undefined);
    this.health.set(ready ? 'serving' : 'not-serving');
    const all = [...results, ...degradable].map(([name, reason]) => [name, reason ?? 'ok']);
    const degraded = degradable.flatMap(([name, reason]) => (reason === undefined ? [] : [name]));
    const checks = { process: 'ok', ...(Object.fromEntries(all) as Record<string, string>) };
    return { ready, checks, ...(degraded.length === 0 ? {} : { degraded }) };
  }
}

async function degradations(name: string, read: () => Promise<Degradations>): Promise<Degradations> {
  let found: Degradations = {};
  const reason = await outcome(async () => {
    found = await read();
    return undefined;
  });
  return reason === undefined ? found : { [name]: reason };
}

async function outcome(check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, CHECK_PATIENCE_MS, 'does not respond');
  });
  try {
    return await Promise.race([check(), patience]);
  } catch (error) {
    return error instanceof Error ? causeOf(error) : 'failed';
  } finally {
    clearTimeout(timer);
  }
}

/** The details of an error. An internal_error has a fixed message, so they are in its cause. */
function causeOf(error: Error): string {
  const text = error.cause instanceof Error ? error.cause.message : error.message;
  return text === '' ? error.name : text;
}
