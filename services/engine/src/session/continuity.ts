import { limits, type WorkerHandOverAnswer } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import { textOf } from '../core/words';
import { changesSnapshot, snapshotOf } from '../core/snapshot';
import type { CallState } from '../core/state';
import { redacted } from '../tools/redaction.rules';
import type { CallProblems } from '../worker/call-problems';
import type { JobReporter } from '../worker/job-reporter';
import { reportedOf } from '../worker/transcript-of';
import type { CallLine } from './call-line';
import type { SessionOptions, SessionParts } from './session-parts';
import { TurnReports, type Snapshot } from './turn-reports';
import type { CallClock } from './call-clock';

export interface ContinuityOptions {
  readonly options: Pick<SessionOptions, 'job' | 'platform' | 'clock' | 'log' | 'reconnects' | 'reportsTurns'>;
  readonly reporter: Pick<JobReporter, 'turns' | 'handOver'>;
  readonly problems: CallProblems;
  readonly state: () => CallState;
  readonly parts: () => SessionParts | undefined;
  /** Hands the call over: as soon as nothing would be lost, or immediately if `atOnce` is set. */
  readonly handOver: (atOnce: boolean) => void;
  /** Called when the call was handed over, or when its lease has to expire. */
  readonly leave: () => void;
}

/** How long partial results are reported after a `watch` command, which the platform repeats while someone follows the call. */
const watchedMs = 60_000;

/** How long turns and snapshots are collected, in milliseconds: as much is lost at most when this process is killed. */
const collectMs = 300;

/** Makes a call survive this process: reports its turns and snapshots while it runs, and hands it over when this process stops. */
export class Continuity {
  private readonly reports: TurnReports;
  private readonly snapshots: CallSnapshots;
  private readonly handingOver: HandingOver;
  private stopped = false;
  /** Until when partial recognition results are reported, by the call's clock. */
  private watchedUntil = -Infinity;

  constructor(private readonly given: ContinuityOptions) {
    const { options, reporter, problems, state, parts } = given;
    const { job, platform, clock, log } = options;
    this.reports = new TurnReports({
      send: (report) => reporter.turns(report),
      render: (turns) => reportedOf(job, turns, parts()?.tools.entries ?? new Map()),
      log,
      // Where another worker would go on, snapshots are sent too, several per turn: collected, they take no CPU time between a question and its answer.
      collectMs: options.reconnects === true ? collectMs : 0,
    });
    this.snapshots = new CallSnapshots({ state, problems, clock, log });
    this.handingOver = new HandingOver({
      ask: () => platform.underLease(job.job_id, 'hand-over', { epoch: job.epoch }),
      granted: given.handOver,
      isOver: () => this.stopped || state().phase === 'over',
      log,
    });
  }

  /** The platform already has these turns. */
  begin({ transcript }: CallState): void {
    this.reports.known(transcript);
  }

  /** Someone follows the call: partial recognition results are reported for a while. */
  watch(): void {
    this.watchedUntil = this.given.options.clock.now() + watchedMs;
  }

  note(before: CallState, after: CallState): void {
    const { reportsTurns, reconnects, clock } = this.given.options;
    if (reportsTurns !== true) return;
    if (before.caller.segments !== after.caller.segments && clock.now() < this.watchedUntil)
      this.reports.notePartial(redacted(textOf(after.caller), []));
    const due = reconnects === true && this.snapshots.isDue(changesSnapshot(before, after), after);
    this.reports.note(after.transcript, due ? () => this.snapshots.take() : undefined);
  }

  /** Called when this process stops. */
  handOver(): void {
    if (this.given.options.reconnects === true) this.handingOver.begin();
  }

  /** Uploads the state for the next worker and returns the lease. Then the line is released, and the carrier connects it to that worker. */
  letGo(line: CallLine): void {
    const { reporter, leave } = this.given;
    const { transcript } = this.given.state();
    this.handingOver.letGo(
      line
        .handedOver()
        .then(() => this.reports.note(transcript, () => this.snapshots.take()))
        .then(() => this.reports.settled())
        .then(() => reporter.handOver(transcript.length)),
      leave,
    );
  }

  /** Stops the reports, because the completion contains all turns. */
  complete(): void {
    this.reports.stop();
  }

  stop(): void {
    this.stopped = true;
    this.handingOver.stop();
    this.reports.stop();
  }
}

/** The interval of snapshots while the agent speaks. It limits how much speech is repeated after a hand-over. */
const progressMs = 1_500;

interface CallSnapshotsOptions {
  readonly state: () => CallState;
  readonly problems: Pick<CallProblems, 'list'>;
  readonly clock: Pick<CallClock, 'now'>;
  readonly log: Logger;
}

/** Decides when a snapshot of a call is due, and creates it. */
class CallSnapshots {
  private takenAt = -Infinity;
  private offset = 0;
  private begun = false;

  constructor(private readonly options: CallSnapshotsOptions) {}

  isDue(changed: boolean, { phase, utterance }: CallState): boolean {
    if (phase !== 'talking') return false;
    if (changed || !this.begun) return true;
    const offset = utterance?.offset ?? 0;
    return offset !== this.offset && this.options.clock.now() - this.takenAt >= progressMs;
  }

  /** @returns undefined if the snapshot would be too large; the platform then keeps the previous one */
  take(): Snapshot | undefined {
    const { clock, problems, log } = this.options;
    const state = this.options.state();
    this.begun = true;
    this.takenAt = clock.now();
    this.offset = state.utterance?.offset ?? 0;
    const snapshot = { ...snapshotOf(state), problems: problems.list };
    if (Buffer.byteLength(JSON.stringify(snapshot)) <= limits.snapshotBytes) return snapshot;
    log.warn('the snapshot of a call is too large to be stored');
    return undefined;
  }
}

/** The interval of requests to the platform while no worker has room. */
const askEveryMs = 2_000;
/** How long the call may continue after the grant before it is handed over immediately. The platform reserves the slot for longer than that. */
const longestTalkMs = 20_000;

/** The timeout for uploading the state; after it the lease expires by itself. */
const longestHandInMs = 10_000;

interface HandingOverOptions {
  /** Asks the platform whether another worker has room. Resolves to `WorkerHandOverAnswer`. */
  readonly ask: () => Promise<unknown>;
  readonly granted: (atOnce: boolean) => void;
  readonly isOver: () => boolean;
  readonly log: Logger;
}

/** Waits until another worker has room for a call of this worker, which is stopping. */
class HandingOver {
  private begun = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: HandingOverOptions) {}

  begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.request();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** The call was released. @param handedIn settles when its state was uploaded, or could not be */
  letGo(handedIn: Promise<unknown>, leave: () => void): void {
    const late = new Promise<void>((resolve) => setTimeout(resolve, longestHandInMs).unref());
    Promise.race([handedIn, late]).then(leave, (error: unknown) => {
      this.options.log.warn({ err: error }, 'a call could not be handed over; its lease will expire');
      leave();
    });
  }

  private request(): void {
    const { ask, log } = this.options;
    if (this.stopped || this.options.isOver()) return;
    ask().then(
      (answer) => this.answered((answer as WorkerHandOverAnswer).granted),
      (error: unknown) => {
        log.warn({ err: error }, 'a hand-over could not be requested');
        this.answered(false);
      },
    );
  }

  private answered(isGranted: boolean): void {
    if (this.stopped) return;
    if (!isGranted) {
      this.timer = setTimeout(() => this.request(), askEveryMs);
      return;
    }
    this.options.granted(false);
    this.timer = setTimeout(() => this.options.granted(true), longestTalkMs);
  }
}
