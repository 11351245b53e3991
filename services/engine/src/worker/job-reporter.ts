import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import {
  mostInputLogCharacters,
  type RecordingUpload,
  type TranscriptTurn,
  type WorkerJob,
  type WorkerJobComplete,
  type WorkerJobEvent,
  type WorkerReportAnswer,
} from '@parley/contract';
import { type Logger, newTraceparent, startSpan } from '@parley/runtime';
import type { CallOutcome } from '../core/effects';
import type { TurnReport } from '../session/turn-reports';
import type { ToolCallEntry } from '../tools/tool-call';
import { persist } from './persist';
import { failureOf, RefusedError, type Platform } from './platform';
import { recordOf } from './transcript-of';

/** An event up to this age counts as occurring now, so that an early retry is identical to the original message. */
const lateMs = 1_000;
const longestAgeMs = 3_600_000;
/** Maximum size of a completion; the platform accepts one MiB. */
const mostBodyBytes = 1_000_000;
/** Maximum size of a log, in characters, that fits in a completion next to any transcript. */
const alwaysFits = 32 * 1024;
const gzip = promisify(gzipCallback);

export interface CompletionDetails {
  /** Entries of the transcript for tool calls, by id. */
  readonly entries: ReadonlyMap<string, ToolCallEntry>;
  /** Whether the call had audio. Its recording is then uploaded separately. */
  readonly hasSound: boolean;
  /** Time since the answer, in call time; undefined if it was never answered. */
  readonly answeredAgoMs: number | undefined;
  /** The log of inputs for a replay; undefined if none was recorded. */
  readonly inputLog?: string | undefined;
}

/**
 * Reports one job to the platform. Messages are sent one at a time, and each is repeated until it is acknowledged: a repeated report has the same seq and gets
 * the same response. While the platform is unavailable, reports are queued in order, and a late one contains how long ago its event was. Every write contains
 * the fencing epoch.
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

  /** Sends the turns of the call so far, after all earlier reports. */
  turns(report: TurnReport): Promise<unknown> {
    const { job_id: jobId, epoch } = this.job;
    return this.after(() => this.platform.underLease(jobId, 'turns', { epoch, ...report }));
  }

  /** Releases the call to another worker. Nothing that is sent later is accepted. @param turns the number of turns that the platform has */
  handOver(turns: number): Promise<unknown> {
    const { job_id: jobId, epoch } = this.job;
    const body = { epoch, first: turns, turns: [], hands_over: true };
    return this.after(() => this.platform.underLease(jobId, 'turns', body));
  }

  /** Completes the job, after all reports. Idempotent. A transcript that is too large is truncated at its end. */
  async complete(
    outcome: CallOutcome,
    { entries, hasSound, answeredAgoMs, inputLog }: CompletionDetails,
  ): Promise<void> {
    const { recording_enabled: recorded } = this.job.call;
    const turns = outcome.transcript === null ? null : recordOf(this.job, outcome.transcript, entries).turns;
    const body = {
      epoch: this.job.epoch,
      transcript: turns === null ? null : { turns: [...turns] },
      ...(recorded && !hasSound ? simulatedRecording(turns) : {}),
      ...(outcome.classification === '' ? {} : { classification: outcome.classification }),
      ...(outcome.mailboxProof === null ? {} : { mailbox_proof: outcome.mailboxProof }),
      ...(outcome.proofWithdrawnBy === null ? {} : { proof_withdrawn_by: outcome.proofWithdrawnBy }),
      ...(outcome.classificationDetail === '' ? {} : { classification_detail: outcome.classificationDetail }),
    };
    if (turns !== null && answeredAgoMs !== undefined)
      traceTurns(turns, this.job.call.call_id, Date.now() - answeredAgoMs, this.traceparent);
    const log = inputLog === undefined ? undefined : await packed(inputLog, body);
    const whole = { ...body, ...(log === undefined ? {} : { input_log: log }) };
    await this.after(() => this.completed(whole));
  }

  /** A completion that is refused for a turn is sent again without it, and at last without a transcript: the call must not wait for the end of its lease. */
  private async completed(body: WorkerJobComplete): Promise<unknown> {
    try {
      return await this.platform.complete(this.job.job_id, body, this.traceparent);
    } catch (error) {
      const { transcript } = body;
      if (!(error instanceof RefusedError) || error.status !== 400 || !transcript?.turns.length) throw error;
      const at = /turns\[(\d+)\]/.exec(error.message)?.[1];
      const turns = at === undefined ? [] : transcript.turns.filter((_, n) => n !== Number(at));
      this.log.error({ err: error, left: turns.length }, 'a completion was refused and is sent without the turn');
      return this.completed({ ...body, transcript: { turns }, input_log: undefined });
    }
  }

  /** Resolves when every message so far was acknowledged or refused. */
  settled(): Promise<unknown> {
    return this.queue;
  }

  /** Stops sending; pending retries reject. */
  stop(): void {
    this.stopping.abort();
  }

  private after<A>(request: () => Promise<A>): Promise<A> {
    const { signal } = this.stopping;
    const sent = this.queue.then(() =>
      persist(request, signal, (error, attempt) =>
        this.log.warn({ err: error, attempt }, 'the platform did not accept a report; retrying'),
      ),
    );
    // After a refused message the next ones are still sent. After one that was fenced, nothing is.
    this.queue = sent.catch((error: unknown) => {
      if (failureOf(error) === 'fenced') this.stop();
    });
    return sent;
  }
}

/** The compressed log as part of a completion; undefined if it does not fit next to the transcript. */
async function packed(log: string, body: object): Promise<string | undefined> {
  const bytes = (await gzip(log)).toString('base64');
  if (bytes.length > mostInputLogCharacters) return undefined;
  const fits = bytes.length < alwaysFits || bytes.length + Buffer.byteLength(JSON.stringify(body)) < mostBodyBytes;
  return fits ? bytes : undefined;
}

function aged(event: WorkerJobEvent, ageMs: number): WorkerJobEvent {
  return ageMs < lateMs ? event : { ...event, age_ms: Math.min(longestAgeMs, Math.round(ageMs)) };
}

/** Maximum size of a simulated recording; the platform's limit is higher. */
const mostBytes = 700 * 1024;

/** The simulator's substitute for a recording: the spoken turns as JSON, in a format of their own. An unanswered call has none. */
export function simulatedRecording(turns: readonly TranscriptTurn[] | null): { recording?: RecordingUpload } {
  if (turns === null) return {};
  const content = Buffer.from(JSON.stringify({ simulated: true, turns }));
  if (content.length > mostBytes) return {};
  const durationMs = Math.max(0, ...turns.map((turn) => turn.ended_ms));
  return { recording: { format: 'simulated', duration_ms: durationMs, data: content.toString('base64') } };
}

/**
 * Records one span `turn` for each turn of a call, under the trace of its reports, with `parley.call_id`, `parley.turn_id`, `parley.speaker` and the parts of
 * the latency in milliseconds. Spans contain no text of the conversation. The times of calls with the pace `instant` are simulated and lie before their
 * completion.
 * @param answeredAt milliseconds since 1970
 */
function traceTurns(turns: readonly TranscriptTurn[], callId: string, answeredAt: number, parent: string): void {
  for (const { turn_id, speaker, interrupted, latency = {}, started_ms, ended_ms } of turns) {
    const span = startSpan('turn', {
      parent,
      startTime: answeredAt + started_ms,
      attributes: {
        'parley.call_id': callId,
        ...(turn_id !== undefined && { 'parley.turn_id': turn_id }),
        'parley.speaker': speaker,
        ...(interrupted === true && { 'parley.interrupted': true }),
        ...Object.fromEntries(Object.entries(latency).map(([part, ms]) => [`parley.latency.${part}`, Number(ms)])),
      },
    });
    span?.end({ endTime: answeredAt + ended_ms });
  }
}
