import { setTimeout as pause } from 'node:timers/promises';
import type { SimulationJob, SimulationJobsClaimed } from '@parley/contract';
import type { Background, Logger } from '@parley/runtime';
import type { Connection } from '../worker/platform';
import { providersByKind, withOfflineSpeech } from '../worker/capabilities';
import { runJob, type JobTools } from './run-job';

export interface SimulationWorkerOptions extends JobTools {
  readonly connection: Connection;
  /** Maximum number of concurrent jobs. */
  readonly capacity: number;
  readonly workerId: string;
  readonly log: Logger;
  /** Aborted when draining starts, after which no jobs are claimed. */
  readonly signal: AbortSignal;
  /** Whether this process is overloaded and should begin no conversation at the moment. Default: never. */
  readonly isLate?: () => boolean;
}

const waitSeconds = 5;
const retryMs = { first: 100, most: 5_000 } as const;
/** The interval of checks while the process is overloaded. */
const lateMs = 500;

/** Claims simulation jobs, spoken or not, and runs at most `capacity` of them at once. Another worker resumes jobs that are unfinished at shutdown. */
export class SimulationWorker implements Background {
  private readonly jobs = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  private reached = false;
  private fault: string | undefined;

  readonly name: string;

  constructor(private readonly options: SimulationWorkerOptions) {
    this.name = this.isSpoken ? 'spoken simulations' : 'simulations';
    options.signal.addEventListener('abort', () => this.stopping.abort(), { once: true });
  }

  /** Whether it claims spoken jobs, and no others. */
  get isSpoken(): boolean {
    return this.options.sound !== undefined;
  }

  /** The number of jobs in progress. */
  get live(): number {
    return this.jobs.size;
  }

  /** Why this worker is not ready; undefined once the platform has responded to a claim. */
  readonly ready = (): Promise<string | undefined> =>
    Promise.resolve(this.reached ? undefined : 'the platform has not answered yet');

  readonly degraded = (): Promise<Readonly<Record<string, string | undefined>>> =>
    Promise.resolve({ platform: this.fault });

  start(): void {
    this.loop = this.claimUntilStopped();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    await Promise.all(this.jobs);
    await this.options.connection.close();
  }

  private async claimUntilStopped(): Promise<void> {
    const { signal } = this.stopping;
    let retryInMs: number = retryMs.first;
    // The first claim returns immediately, even without jobs: its response shows that the platform is reachable.
    let wait = 0;
    while (!signal.aborted) {
      try {
        const free = this.options.capacity - this.jobs.size;
        if (this.options.isLate?.() === true) await pause(lateMs, undefined, { signal });
        else if (free <= 0) await Promise.race(this.jobs);
        else for (const job of (await this.claim(free, wait)).jobs) this.begin(job);
        this.reached = true;
        this.fault = undefined;
        wait = waitSeconds;
        retryInMs = retryMs.first;
      } catch (error) {
        if (signal.aborted) return;
        this.fault = 'the last claim of simulations failed';
        this.options.log.warn({ err: error, retry_in_ms: retryInMs }, 'simulation jobs could not be claimed');
        await pause(retryInMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
        retryInMs = Math.min(retryInMs * 2, retryMs.most);
      }
    }
  }

  private claim(capacity: number, wait: number): Promise<SimulationJobsClaimed> {
    const { connection, workerId, sound } = this.options;
    const own = providersByKind();
    const spoken = sound && (sound.offline === undefined ? own : withOfflineSpeech(own));
    const body = { capacity, worker_id: workerId, wait_seconds: wait, ...(spoken && { spoken }) };
    return connection.post('/v1/simulation-jobs/claim', body, {
      waitMs: wait * 1_000,
      signal: this.stopping.signal,
    });
  }

  private begin(job: SimulationJob): void {
    const about = { job_id: job.job_id, simulation_run_id: job.simulation_run_id, epoch: job.epoch };
    const log = this.options.log.child(about);
    const running: Promise<void> = runJob({ ...this.options, log }, job, this.stopping.signal)
      .catch((error: unknown) => log.warn({ err: error }, 'a simulation job was released'))
      .finally(() => this.jobs.delete(running));
    this.jobs.add(running);
  }
}
