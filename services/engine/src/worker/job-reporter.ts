import type { TranscriptTurn, WorkerJob, WorkerJobEvent, WorkerReportAnswer } from '@parley/contract';
import { newTraceparent, type Logger } from '@parley/runtime';
import type { CallOutcome } from '../domain/call-state';
import { fitTranscript } from '../core/fit-transcript';
import { simulatedRecording } from '../domain/simulated-recording';
import { persist } from './persist';
import { failureOf, type Platform } from './platform';

/** What is sent sooner than this happened now: a first repetition says the same as what it repeats. */
const lateMs = 1_000;
const longestAgeMs = 3_600_000;

/**
 * Tells the platform about one job, one message after the other, each until it is acknowledged: a repeated report carries
 * the same seq and is answered as the first was. While the platform is away they wait here, in order; one that is sent late says how long ago it
 * happened. Every write carries the fencing epoch.
 */
export class JobReporter {
  private seq = 0;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly stopping = new AbortController();
  private readonly traceparent = newTraceparent();

  constructor(
    private readonly platform: Platform,
    private readonly job: Pick<WorkerJob, 'job_id' | 'epoch' | 'call'>,
    private readonly log: Logger,
  ) {}

  report(event: WorkerJobEvent): Promise<WorkerReportAnswer> {
    this.seq += 1;
    const { seq } = this;
    const happenedAt = performance.now();
    return this.after(() => {
      const body = { epoch: this.job.epoch, seq, events: [aged(event, performance.now() - happenedAt)] };
      return this.platform.report(this.job.job_id, body, this.traceparent);
    });
  }

  /** After every report. Repeating it changes nothing. A transcript that is too large for it is handed in from its beginning. */
  async complete(outcome: CallOutcome): Promise<void> {
    const { direction, recording_enabled: recorded } = this.job.call;
    const turns =
      outcome.transcript === null ? null : fitTranscript(outcome.transcript).turns.map((turn) => said(turn, direction));
    const body = {
      epoch: this.job.epoch,
      transcript: turns === null ? null : { turns },
      ...(recorded ? simulatedRecording(turns) : {}),
      ...(outcome.classification === '' ? {} : { classification: outcome.classification }),
      ...(outcome.mailboxProof === null ? {} : { mailbox_proof: outcome.mailboxProof }),
      ...(outcome.classificationDetail === '' ? {} : { classification_detail: outcome.classificationDetail }),
    };
    await this.after(() => this.platform.complete(this.job.job_id, body, this.traceparent));
  }

  /** Nothing more is sent; what waits to be repeated rejects. */
  stop(): void {
    this.stopping.abort();
  }

  private after<A>(request: () => Promise<A>): Promise<A> {
    const { signal } = this.stopping;
    const sent = this.queue.then(() =>
      persist(request, signal, (error, attempt) =>
        this.log.warn({ err: error, attempt }, 'the platform did not take a report; repeating it'),
      ),
    );
    // Those behind one that was refused are sent all the same; behind a fence nothing is.
    this.queue = sent.catch((error: unknown) => {
      if (failureOf(error) === 'fenced') this.stop();
    });
    return sent;
  }
}

/** The rules of a conversation know an agent and a caller in both directions; the record names the party that was called. */
const said = (turn: TranscriptTurn, direction: WorkerJob['call']['direction']): TranscriptTurn =>
  direction === 'outbound' && turn.speaker === 'caller' ? { ...turn, speaker: 'callee' } : turn;

function aged(event: WorkerJobEvent, ageMs: number): WorkerJobEvent {
  return ageMs < lateMs ? event : { ...event, age_ms: Math.min(longestAgeMs, Math.round(ageMs)) };
}
