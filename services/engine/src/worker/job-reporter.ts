import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import {
  mostInputLogCharacters,
  type RecordingUpload,
  type TranscriptTurn,
  type WorkerJob,
  type WorkerJobEvent,
  type WorkerReportAnswer,
} from '@parley/contract';
import { type Logger, newTraceparent } from '@parley/runtime';
import type { CallOutcome } from '../core/effects';
import { fitTranscript } from '../core/fit-transcript';
import type { TurnReport } from '../session/turn-reports';
import type { ToolCallEntry } from '../tools/tool-call';
import { persist } from './persist';
import { failureOf, type Platform } from './platform';
import { transcriptOf } from './transcript-of';
import { traceTurns } from './trace-turns';

/** What is sent sooner than this happened now: a first repetition says the same as what it repeats. */
const lateMs = 1_000;
const longestAgeMs = 3_600_000;
/** Of a completion; the platform takes a mebibyte. */
const mostBodyBytes = 1_000_000;
/** Characters of a log that no transcript leaves too little room for. */
const alwaysFits = 32 * 1024;
const gzip = promisify(gzipCallback);

export interface CompletionDetails {
  /** How calls of tools stand on the transcript, by their ids. */
  readonly entries: ReadonlyMap<string, ToolCallEntry>;
  /** The call had sound, whose recording is handed in by itself. */
  readonly hasSound: boolean;
  /** How long ago the call was answered, in its own time; undefined where it never was. */
  readonly answeredAgoMs: number | undefined;
  /** For a replay; undefined where none was kept. */
  readonly inputLog?: string | undefined;
}

/**
 * Reports one job to the platform, one message after the other, each until it is acknowledged: a repeated report carries
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

  /** Turns of the call so far, after every report that came before. */
  turns(report: TurnReport): Promise<unknown> {
    const { job_id: jobId, epoch } = this.job;
    return this.after(() => this.platform.underLease(jobId, 'turns', { epoch, ...report }));
  }

  /** Lets the call go to another worker: nothing that is sent after it is taken. @param turns that the platform has */
  handOver(turns: number): Promise<unknown> {
    const { job_id: jobId, epoch } = this.job;
    const body = { epoch, first: turns, turns: [], hands_over: true };
    return this.after(() => this.platform.underLease(jobId, 'turns', body));
  }

  /** After every report. Repeating it changes nothing. A transcript that is too large for it is handed in from its beginning. */
  async complete(
    outcome: CallOutcome,
    { entries, hasSound, answeredAgoMs, inputLog }: CompletionDetails,
  ): Promise<void> {
    const { recording_enabled: recorded } = this.job.call;
    const turns =
      outcome.transcript === null ? null : fitTranscript(transcriptOf(this.job, outcome.transcript, entries)).turns;
    const body = {
      epoch: this.job.epoch,
      transcript: turns === null ? null : { turns: [...turns] },
      ...(recorded && !hasSound ? simulatedRecording(turns) : {}),
      ...(outcome.classification === '' ? {} : { classification: outcome.classification }),
      ...(outcome.mailboxProof === null ? {} : { mailbox_proof: outcome.mailboxProof }),
      ...(outcome.classificationDetail === '' ? {} : { classification_detail: outcome.classificationDetail }),
    };
    if (turns !== null && answeredAgoMs !== undefined)
      traceTurns(turns, this.job.call.call_id, Date.now() - answeredAgoMs, this.traceparent);
    const log = inputLog === undefined ? undefined : await packed(inputLog, body);
    const whole = { ...body, ...(log === undefined ? {} : { input_log: log }) };
    await this.after(() => this.platform.complete(this.job.job_id, whole, this.traceparent));
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

/** As a completion carries it; undefined where there is no room for it next to the transcript. */
async function packed(log: string, body: object): Promise<string | undefined> {
  const bytes = (await gzip(log)).toString('base64');
  if (bytes.length > mostInputLogCharacters) return undefined;
  const fits = bytes.length < alwaysFits || bytes.length + Buffer.byteLength(JSON.stringify(body)) < mostBodyBytes;
  return fits ? bytes : undefined;
}

function aged(event: WorkerJobEvent, ageMs: number): WorkerJobEvent {
  return ageMs < lateMs ? event : { ...event, age_ms: Math.min(longestAgeMs, Math.round(ageMs)) };
}

/** Below what the platform takes of a recording. */
const mostBytes = 700 * 1024;

/**
 * What the simulator has instead of sound: the turns that it spoke, as JSON, under a format of that name. None for a call
 * that no one answered.
 */
export function simulatedRecording(turns: readonly TranscriptTurn[] | null): { recording?: RecordingUpload } {
  if (turns === null) return {};
  const content = Buffer.from(JSON.stringify({ simulated: true, turns }));
  if (content.length > mostBytes) return {};
  const durationMs = Math.max(0, ...turns.map((turn) => turn.ended_ms));
  return { recording: { format: 'simulated', duration_ms: durationMs, data: content.toString('base64') } };
}
