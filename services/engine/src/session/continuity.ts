import { textOf } from '../core/words';
import { changesSnapshot } from '../core/snapshot';
import type { CallState } from '../core/state';
import { redacted } from '../tools/redaction.rules';
import type { CallProblems } from '../worker/call-problems';
import type { JobReporter } from '../worker/job-reporter';
import { reportedOf } from '../worker/transcript-of';
import type { CallLine } from './call-line';
import { CallSnapshots } from './call-snapshots';
import { HandingOver } from './handing-over';
import type { SessionOptions, SessionParts } from './session-parts';
import { TurnReports } from './turn-reports';

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
