import { createHash, type Hash } from 'node:crypto';
import type { Logger } from '@parley/runtime';
import { persist } from '../worker/persist';
import type { Platform } from '../worker/platform';

/** How long after the end of the call the platform accepts parts. */
const graceMs = 600_000;
/** The timeout in a draining worker. After it the platform completes the recording with the parts that it has received. */
const longestWaitMs = 60_000;
/** The timeout while another worker waits for the call, during which the caller hears silence. */
const longestHandInMs = 2_000;

export interface RecordingUploadOptions {
  readonly platform: Pick<Platform, 'putRecordingPart' | 'underLease'>;
  readonly jobId: string;
  readonly epoch: number;
  /** The parts that other workers have uploaded. */
  readonly before?: { readonly parts: number; readonly durationMs: number } | undefined;
  readonly log: Logger;
}

/** Uploads the parts of one recording during the call, under its lease and in order. Each part is retried until it is accepted. */
export class RecordingUpload {
  private readonly sha256: Hash = createHash('sha256');
  private parts = 0;
  private queue: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  private failed = false;

  constructor(private readonly options: RecordingUploadOptions) {}

  readonly take = (n: number, bytes: Buffer): void => {
    const { platform, jobId, epoch } = this.options;
    const part = n + (this.options.before?.parts ?? 0);
    this.parts = n;
    this.sha256.update(bytes);
    this.send(`part ${part}`, () => platform.putRecordingPart(jobId, epoch, part, bytes));
  };

  /** Resolves when the parts so far were uploaded or the timeout has passed; never rejects. Another worker may upload more. */
  async handedIn(): Promise<void> {
    await this.queueOr(longestHandInMs);
  }

  /** Ends the recording. Resolves when it is complete or the timeout has passed; never rejects. */
  async finish(durationMs: number): Promise<void> {
    const { platform, jobId, epoch, before } = this.options;
    if (this.parts === 0 && before === undefined) return;
    const body = {
      epoch,
      parts: this.parts + (before?.parts ?? 0),
      format: 'mulaw',
      duration_ms: Math.round(durationMs + (before?.durationMs ?? 0)),
      sha256: this.sha256.digest('hex'),
      ...(before === undefined ? {} : { sha256_from: before.parts + 1 }),
    };
    setTimeout(() => this.stopping.abort(), graceMs).unref();
    this.send('completion', () => platform.underLease(jobId, 'recording/complete', body));
    await this.queueOr(longestWaitMs);
  }

  private async queueOr(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([this.queue, late]).finally(() => clearTimeout(timer));
  }

  private send(what: string, request: () => Promise<unknown>): void {
    const { log } = this.options;
    const { signal } = this.stopping;
    this.queue = this.queue
      .then(async () => {
        if (this.failed) return;
        await persist(request, signal, (error, attempt) =>
          log.warn({ err: error, attempt }, `the platform did not accept the ${what} of a recording; retrying`),
        );
      })
      .catch((error: unknown) => {
        // A refused part would leave a gap, so the platform keeps only the parts before it.
        this.failed = true;
        log.error({ err: error }, `the ${what} of a recording could not be uploaded`);
      });
  }
}
