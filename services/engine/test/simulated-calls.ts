import type { WorkerJob } from '@parley/contract';
import { systemClock, type Logger } from '@parley/runtime';
import { realTimeClock, type CallClock } from '../src/session/call-clock';
import { runSimulatedCall } from '../src/session/run-call';
import { TextLine } from '../src/session/text-line';
import type { LiveCall } from '../src/worker/live-call';
import { httpPlatform, type Platform } from '../src/worker/platform';
import { Worker } from '../src/worker/worker';
import { environmentWith } from './running-calls';

/** Records the numbers that a worker dialed and hung up. */
export class Dialed {
  readonly dialed: string[] = [];
  readonly hungUp: string[] = [];
}

class WatchedLine extends TextLine {
  /** From here on there is nothing to hang up. */
  private ended = false;

  constructor(
    private readonly number: string,
    clock: CallClock,
    private readonly seen: Dialed,
  ) {
    super(number, clock);
  }

  override open(listener: Parameters<TextLine['open']>[0]): void {
    this.seen.dialed.push(this.number);
    super.open({
      ...listener,
      input: (input) => {
        if (input.type === 'hung_up' || input.type === 'failed') this.ended = true;
        listener.input(input);
      },
    });
  }

  override hangUp(): void {
    if (!this.ended && this.seen.dialed.includes(this.number)) this.seen.hungUp.push(this.number);
    this.ended = true;
    super.hangUp();
  }
}

/** Conducts calls of the simulator at the given multiple of real time. */
export const runningAt =
  (speed: number, platform: Platform, seen = new Dialed()) =>
  (job: WorkerJob, log: Logger): LiveCall => {
    const clock = realTimeClock(systemClock, speed);
    const line = new WatchedLine(job.call.to ?? '', clock, seen);
    return runSimulatedCall(environmentWith(platform), { job, log, line, clock });
  };

/** A worker of the simulator for the platform of a test, not started. */
export function workerOf(
  url: string,
  options: {
    capacity?: number;
    speed?: number;
    organizationId?: string;
    log: Logger;
    seen: Dialed;
    signal: AbortSignal;
  },
): Worker {
  const { organizationId, log, signal } = options;
  const platform = httpPlatform({ url, token: 'tai_test', connections: 10, timeoutMs: 30_000, organizationId });
  return new Worker({
    platform,
    organizationId,
    carriers: ['simulator'],
    run: runningAt(options.speed ?? 100, platform, options.seen),
    log,
    workerId: 'worker-1',
    capacity: options.capacity ?? 4,
    signal,
  });
}
