import type { HealthStatus } from '../grpc/health';

/** Undefined for ready, else the reason why not. */
export type ReadinessCheck = () => Promise<string | undefined>;

export interface ReadinessReport {
  ready: boolean;
  /** By check: 'ok' or the reason. */
  checks: Record<string, string>;
}

/** Probes come from several sides; the servers behind the checks are asked at most this often. */
const REUSE_MS = 1_000;
const CHECK_PATIENCE_MS = 2_000;

/** Whether this process should be given requests: started, not draining, and every check content. */
export class Readiness {
  private readonly checks = new Map<string, { check: ReadinessCheck; isUsed: () => boolean }>();
  private phase: 'starting' | 'running' | 'draining' = 'starting';
  private last: { at: number; report: Promise<ReadinessReport> } | undefined;

  constructor(private readonly health: HealthStatus) {}

  /** @param isUsed false while this process has nothing of the kind: it is then not told of */
  add(name: string, check: ReadinessCheck, isUsed: () => boolean = () => true): void {
    this.checks.set(name, { check, isUsed });
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
    if (this.last === undefined || now - this.last.at > REUSE_MS) this.last = { at: now, report: this.judge() };
    return this.last.report;
  }

  private async judge(): Promise<ReadinessReport> {
    const used = [...this.checks].filter(([, { isUsed }]) => isUsed());
    const results = await Promise.all(
      used.map(async ([name, { check }]) => [name, (await outcome(check)) ?? 'ok'] as const),
    );
    const ready = results.every(([, result]) => result === 'ok');
    this.health.set(ready ? 'serving' : 'not-serving');
    return { ready, checks: { process: 'ok', ...Object.fromEntries(results) } };
  }
}

async function outcome(check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, CHECK_PATIENCE_MS, 'does not answer');
  });
  try {
    return await Promise.race([check(), patience]);
  } catch (error) {
    return error instanceof Error ? causeOf(error) : 'failed';
  } finally {
    clearTimeout(timer);
  }
}

/** The fixed text of an internal_error says nothing; its cause does. */
function causeOf(error: Error): string {
  const text = error.cause instanceof Error ? error.cause.message : error.message;
  return text === '' ? error.name : text;
}
