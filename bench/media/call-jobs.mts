import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerJob } from '@parley/contract';
import type { Turn } from './conversation.mts';

// Uses the compiled worker code of the engine, so that requests and their timing are those of a real engine.
const { httpPlatform } = await import('../../services/engine/dist/worker/platform.js');
const { Heartbeats } = await import('../../services/engine/dist/worker/heartbeats.js');
const { JobReporter } = await import('../../services/engine/dist/worker/job-reporter.js');

const claimWaitSeconds = 5;
type Log = ConstructorParameters<typeof Heartbeats>[3];

/** A job of the platform that was claimed and has its permit to dial. */
export class CallJob {
  readonly jobId: string;
  readonly epoch: number;
  readonly leaseSeconds: number;
  cancelRequested = (): void => undefined;
  leaseLost = (): void => undefined;
  private readonly reporter: InstanceType<typeof JobReporter>;
  private readonly forget: () => void;

  constructor(job: WorkerJob, platform: ReturnType<typeof httpPlatform>, log: Log, forget: () => void) {
    this.jobId = job.job_id;
    this.epoch = job.epoch;
    this.leaseSeconds = job.lease_seconds;
    this.reporter = new JobReporter(platform, job, log);
    this.forget = forget;
  }

  /** Stops sending reports. */
  leave(): void {
    this.reporter.stop();
  }

  async dial(): Promise<boolean> {
    return (await this.reporter.report({ type: 'dialing' })).call_status === 'dialing';
  }

  async answered(): Promise<void> {
    await this.reporter.report({ type: 'answered' });
    await this.reporter.report({ type: 'media_started' });
  }

  async ended(turns: readonly Turn[]): Promise<void> {
    await this.reporter.report({ type: 'ended', ended_reason: 'caller_hung_up' });
    await this.reporter.complete(
      {
        transcript: turns.map((turn, place) => ({ ...turn, turn_id: `turn_${place + 1}` })),
        classification: '',
        classificationDetail: '',
        mailboxProof: null,
      },
      { entries: new Map(), hasSound: true, answeredAgoMs: undefined },
    );
    this.forget();
  }
}

/** Claims call jobs from a real platform up to its capacity, keeps their leases, and assigns them to incoming streams. */
export class CallJobs {
  lost = 0;
  completed = 0;
  private readonly platform: ReturnType<typeof httpPlatform>;
  private readonly capacity: number;
  private readonly workerId = `bench-${process.pid}-${randomBytes(4).toString('hex')}`;
  private readonly leases = new Map<string, CallJob>();
  private readonly heartbeats: InstanceType<typeof Heartbeats>;
  private readonly ready: CallJob[] = [];
  private readonly waiting: ((job: CallJob) => void)[] = [];
  private readonly stopping = new AbortController();
  /** The worker code logs warnings about retries. They are ignored once the measurement is ending. */
  private readonly log = {
    warn: ({ err }: { err?: Error }, text: string) => {
      if (!this.stopping.signal.aborted) console.error(text, err?.message ?? '');
    },
  } as Log;

  constructor(url: string, token: string, capacity: number) {
    this.capacity = capacity;
    // Connections: one for the long poll, one for heartbeats, and one for each call, as in the engine.
    this.platform = httpPlatform({ url, token, connections: capacity + 2 });
    this.heartbeats = new Heartbeats(this.platform, this.workerId, this.leases, this.log);
  }

  /** Returns the next job that may be dialed. */
  next(): Promise<CallJob> {
    const job = this.ready.shift();
    return job !== undefined ? Promise.resolve(job) : new Promise((resolve) => this.waiting.push(resolve));
  }

  async claimUntilStopped(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const free = this.capacity - this.leases.size;
      if (free <= 0) {
        await pause(100);
        continue;
      }
      const asked = {
        kinds: ['call' as const],
        capacity: Math.min(free, 100),
        worker_id: this.workerId,
        wait_seconds: claimWaitSeconds,
      };
      try {
        const { jobs } = await this.platform.claim(asked);
        for (const job of jobs) this.keep(job);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  /** Stops the heartbeats, so that the leases of calls that never arrived expire. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.heartbeats.stop();
    for (const job of this.leases.values()) job.leave();
    await this.platform.close();
  }

  private keep(claimed: WorkerJob): void {
    const job = new CallJob(claimed, this.platform, this.log, () => {
      this.leases.delete(job.jobId);
      this.completed += 1;
    });
    job.leaseLost = () => {
      this.lost += 1;
      this.leases.delete(job.jobId);
    };
    this.leases.set(job.jobId, job);
    this.heartbeats.keep();
    job.dial().then(
      (permitted) => {
        if (!permitted) return;
        const stream = this.waiting.shift();
        if (stream === undefined) this.ready.push(job);
        else stream(job);
      },
      (error: unknown) => {
        if (!this.stopping.signal.aborted) console.error('a job was not permitted', error);
      },
    );
  }
}
