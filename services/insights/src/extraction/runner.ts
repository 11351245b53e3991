import { randomUUID } from 'node:crypto';
import { newTraceparent, poller, serviceCaller, type Background, type Logger, type Poller } from '@parley/runtime';
import type { ExtractionDependencies } from './dependencies';
import { leaseJobs, renewJobs, rerunsToList, type ExtractionJob } from './jobs.cross-tenant.sql';
import { addRerunPage } from './jobs.sql';
import { runExtraction } from './run-extraction';

/** Another process takes over the jobs of a process that has not renewed its leases for this long. */
const leaseSeconds = 15;
const renewEveryMs = 4_000;
/** The share of the slots that extractions of calls that have just ended may use. The rest is reserved for reruns. */
const liveShare = 0.5;

export interface RunnerOptions {
  readonly dependencies: ExtractionDependencies;
  /** Maximum number of concurrent extractions. */
  readonly concurrency: number;
  readonly log: Logger;
}

/** Runs extractions that are due. One organization can use at most a quarter of the slots, so that a slow provider of one does not delay the others. */
export class ExtractionRunner implements Background {
  readonly name = 'extraction-runner';
  private readonly active = new Map<Promise<void>, ExtractionJob>();
  private readonly polling: Poller;
  private readonly renewing: Poller;

  constructor(private readonly options: RunnerOptions) {
    const { log } = options;
    this.polling = poller({ name: this.name, everyMs: 500, log, run: () => this.fill() });
    this.renewing = poller({ name: 'extraction-leases', everyMs: renewEveryMs, log, run: () => this.renew() });
  }

  async start(): Promise<void> {
    await this.polling.start();
    await this.renewing.start();
  }

  /** Resolves when the extractions in progress have ended. */
  async stop(): Promise<void> {
    await this.polling.stop();
    await Promise.all(this.active.keys());
    await this.renewing.stop();
  }

  wake(): void {
    this.polling.wake();
  }

  private async renew(): Promise<void> {
    if (this.active.size > 0) await renewJobs(this.options.dependencies.db, [...this.active.values()], leaseSeconds);
  }

  private async fill(): Promise<void> {
    const { concurrency } = this.options;
    await this.take(true, concurrency);
    const reruns = [...this.active.values()].filter(({ rerunId }) => rerunId !== null).length;
    await this.take(false, Math.min(concurrency, this.active.size + Math.floor(concurrency * liveShare) - reruns));
  }

  private async take(live: boolean, upTo: number): Promise<void> {
    const { dependencies, concurrency } = this.options;
    const share = Math.max(1, Math.floor(concurrency / 4));
    for (;;) {
      const free = Math.min(upTo - this.active.size, share);
      if (free <= 0) return;
      const jobs = await leaseJobs(dependencies.db, { live, limit: free, leaseSeconds, without: this.full(share) });
      for (const job of jobs) this.begin(job);
      if (jobs.length < free) return;
    }
  }

  /** Returns the organizations that use at least their share. */
  private full(share: number): string[] {
    const counts = new Map<string, number>();
    for (const { organizationId } of this.active.values())
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
    return [...counts].flatMap(([organizationId, count]) => (count >= share ? [organizationId] : []));
  }

  private begin(job: ExtractionJob): void {
    const { dependencies, log } = this.options;
    const running = runExtraction(dependencies, job)
      .catch((error: unknown) =>
        log.warn({ err: error, call_id: job.callId, attempt: job.attempt }, 'an extraction failed'),
      )
      .finally(() => {
        this.active.delete(running);
        this.wake();
      });
    this.active.set(running, job);
  }
}

const pageSize = 200;
/** Maximum number of calls per rerun. */
export const mostRerunCalls = 10_000;

/** Lists the calls of reruns, page by page, and adds jobs for them. */
export function rerunLister({ dependencies, log }: Omit<RunnerOptions, 'concurrency'>): Poller {
  const { db, telephony, onJobs } = dependencies;
  return poller({
    name: 'extraction-rerun-lister',
    everyMs: 1_000,
    log,
    run: async (signal) => {
      for (;;) {
        const reruns = await rerunsToList(db);
        if (reruns.length === 0 || signal.aborted) return;
        for (const rerun of reruns) {
          const { organizationId, agentId, from, to, position: afterCallId, calls } = rerun;
          const limit = Math.min(pageSize, mostRerunCalls - calls);
          const { callIds } = await telephony.listTranscribedCalls(
            { organizationId, agentId, from: from.toISOString(), to: to.toISOString(), afterCallId, limit },
            { caller: serviceCaller, requestId: randomUUID(), traceparent: newTraceparent() },
          );
          await addRerunPage(db, rerun, callIds, callIds.length < limit || calls + callIds.length >= mostRerunCalls);
        }
        onJobs();
      }
    },
  });
}
