import { textOf } from '../core/caller-turn';
import { changesSnapshot } from '../core/snapshot';
import type { CallState } from '../core/state';
import { redacted } from '../tools/redaction.rules';
import type { CallProblems } from '../worker/call-problems';
import type { JobReporter } from '../worker/job-reporter';
import { transcriptOf } from '../worker/transcript-of';
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
  /** The call is to be handed over: as soon as that loses nothing, or at once. */
  readonly handOver: (atOnce: boolean) => void;
  /** The call was handed over, or its lease expires. */
  readonly leave: () => void;
}

/** The duration of one command, which is repeated while someone follows. */
const watchedMs = 60_000;

/** Makes a call survive this process: its turns and snapshots are reported while it runs, and it is handed over when this process stops. */
export class Continuity {
  private readonly reports: TurnReports;
  private readonly snapshots: CallSnapshots;
  private readonly handingOver: HandingOver;
  private stopped = false;
  /** Until when partial recognition is reported; by the call's clock. */
  private watchedUntil = -Infinity;

  constructor(private readonly given: ContinuityOptions) {
    const { options, reporter, problems, state, parts } = given;
    const { job, platform, clock, log } = options;
    this.reports = new TurnReports({
      send: (report) => reporter.turns(report),
      render: (turns) => transcriptOf(job, turns, parts()?.tools.entries ?? new Map()),
      log,
    });
    this.snapshots = new CallSnapshots({ state, problems, clock, log });
    this.handingOver = new HandingOver({
      ask: () => platform.underLease(job.job_id, 'hand-over', { epoch: job.epoch }),
      granted: given.handOver,
      isOver: () => this.stopped || state().phase === 'over',
      log,
    });
  }

  /** The platform has these turns already. */
  begin({ transcript }: CallState): void {
    this.reports.known(transcript);
  }

  /** Someone follows the call. */
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

  /** This process stops. */
  handOver(): void {
    if (this.given.options.reconnects === true) this.handingOver.begin();
  }

  /** Hands in the state for the next worker and returns the lease; then the line is released, and its carrier connects it there. */
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

  /** The completion contains all turns. */
  complete(): void {
    this.reports.stop();
  }

  stop(): void {
    this.stopped = true;
    this.handingOver.stop();
    this.reports.stop();
  }
}
