import type { EndedReason } from '@parley/contract';
import type { ConversationTurn } from '../core/transcript';
import type { ConnectedLine } from '../lines/connected-line';
import type { LineEnd, LineListener } from '../lines/line';
import { notJudged } from '../core/answer-detection';
import { CallProblems } from '../worker/call-problems';
import { JobReporter } from '../worker/job-reporter';
import { failureOf } from '../worker/platform';
import { recordOf } from '../worker/transcript-of';
import type { LiveCall } from '../worker/live-call';
import type { CallOnLine, CallRunner } from './runner';

/** The maximum duration in seconds if the platform sends none. */
const longestSeconds = 1_740;

const reasonOf: Readonly<Record<LineEnd, EndedReason>> = {
  hung_up_there: 'caller_hung_up',
  hung_up_here: 'agent_hung_up',
  lost: 'carrier_failure',
  stalled: 'carrier_failure',
  too_much_unread: 'carrier_failure',
};

/**
 * Repeats what it hears and what is typed. It is not an agent: tests use it to check that a line and the platform's part of a test call work. It cannot be
 * enabled in production.
 */
export const parrot: CallRunner<ConnectedLine> = (onLine) => new Parrot(onLine);

class Parrot implements LiveCall, LineListener {
  readonly done: Promise<void>;
  private finish: () => void = () => undefined;
  private readonly reporter: JobReporter;
  private readonly turns: ConversationTurn[] = [];
  private readonly startedMs = performance.now();
  private readonly limit: NodeJS.Timeout;
  private over = false;

  constructor(private readonly onLine: CallOnLine<ConnectedLine>) {
    const { job, line, platform, log } = onLine;
    this.done = new Promise((resolve) => (this.finish = resolve));
    // This runner has no recorder, so the call is not recorded.
    const call = { ...job.call, recording_enabled: false };
    this.reporter = new JobReporter(platform, { ...job, call }, log);
    const { effective } = job.runtime_configuration as { effective?: { max_call_seconds?: number } };
    const seconds = effective?.max_call_seconds ?? longestSeconds;
    this.limit = setTimeout(() => this.end('max_call_duration_reached'), seconds * 1000);
    this.report('answered');
    this.report('media_started');
    line.notice({ type: 'ready' });
    line.notice({ type: 'state', state: 'listening' });
    line.listen(this);
  }

  get jobId(): string {
    return this.onLine.job.job_id;
  }

  get epoch(): number {
    return this.onLine.job.epoch;
  }

  get leaseSeconds(): number {
    return this.onLine.job.lease_seconds;
  }

  cancelRequested(): void {
    this.end('canceled');
  }

  leaseLost(): void {
    this.over = true;
    this.onLine.line.hangUp();
    this.leave();
  }

  audio(samples: Int16Array): void {
    this.onLine.line.send(samples);
  }

  marked(): void {
    // There is nothing to prepare.
  }

  pressed(digits: string): void {
    this.typed(digits);
  }

  typed(text: string): void {
    for (const speaker of ['caller', 'agent'] as const) {
      const at = Math.round(performance.now() - this.startedMs);
      const turnId = `turn_${this.turns.length + 1}`;
      this.turns.push({ turn_id: turnId, speaker, text, started_ms: at, ended_ms: at });
      this.onLine.line.notice({
        type: 'transcript',
        speaker,
        turn_id: turnId,
        text,
        final: true,
      });
    }
  }

  ended(end: LineEnd): void {
    this.end(reasonOf[end]);
  }

  private report(type: 'answered' | 'media_started'): void {
    this.reporter.report({ type }).then(
      (answer) => {
        if (answer.cancel_requested) this.end('canceled');
      },
      (error: unknown) => this.refused(error),
    );
  }

  private end(endedReason: EndedReason): void {
    if (this.over) return;
    this.over = true;
    this.onLine.line.finish(endedReason, null);
    const ended = new CallProblems().reportedWith({ type: 'ended', ended_reason: endedReason }, () =>
      recordOf(this.onLine.job, this.turns, new Map()),
    );
    this.reporter.report(ended).catch((error: unknown) => this.refused(error));
    this.reporter
      .complete(
        { transcript: this.turns, ...notJudged },
        { entries: new Map(), hasSound: true, answeredAgoMs: undefined },
      )
      .catch((error: unknown) => this.refused(error))
      .finally(() => this.leave());
  }

  private refused(error: unknown): void {
    if (failureOf(error) === 'fenced') return this.leaseLost();
    this.onLine.log.error({ err: error }, 'the platform rejected a report; the call continues');
  }

  private leave(): void {
    clearTimeout(this.limit);
    this.reporter.stop();
    this.finish();
  }
}
