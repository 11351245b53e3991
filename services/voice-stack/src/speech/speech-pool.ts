import { Worker } from 'node:worker_threads';
import { AppError, internal } from '@parley/errors';

export interface SpeechJob {
  /** Of the engine's command line, without the output file. */
  readonly args: readonly string[];
}

export type SpeechAnswer = { readonly audio: Uint8Array } | { readonly fault: string };

export interface SpeechPoolOptions {
  /** The compiled worker. */
  readonly file: string;
  /** Threads at most; they start when they are first needed. */
  readonly threads: number;
  /** Previews that may wait for a thread; one more is 429. */
  readonly waiting: number;
  /** Milliseconds after which a synthesis is given up and its thread ended. */
  readonly timeoutMs: number;
}

interface Waiting {
  readonly job: SpeechJob;
  readonly resolve: (audio: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** Threads that speak, so that no synthesis holds up the requests of this process; bounded in number, waiting and time. */
export class SpeechPool {
  private readonly idle: Thread[] = [];
  private readonly queue: Waiting[] = [];
  private running = 0;
  private stopped = false;

  constructor(private readonly options: SpeechPoolOptions) {}

  /** @throws AppError rate_limited (429) when too many wait; internal_error when the engine fails or takes too long */
  synthesize(job: SpeechJob): Promise<Buffer> {
    if (this.queue.length >= this.options.waiting && this.running >= this.options.threads)
      throw new AppError('rate_limited', 'too many voice previews at once', { fields: { retry_after_seconds: 1 } });
    return new Promise((resolve, reject) => {
      this.queue.push({ job, resolve, reject });
      this.next();
    });
  }

  /** Ends the idle threads and refuses who waits; what runs is finished first. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const { reject } of this.queue.splice(0)) reject(internal(new Error('the service is stopping'), 503));
    await Promise.all(this.idle.splice(0).map((thread) => thread.end()));
  }

  private next(): void {
    if (this.running >= this.options.threads) return;
    const waiting = this.queue.shift();
    if (waiting === undefined) return;
    this.running += 1;
    this.run(this.idle.pop() ?? new Thread(this.options.file), waiting).catch(waiting.reject);
  }

  private async run(thread: Thread, { job, resolve, reject }: Waiting): Promise<void> {
    try {
      const answer = await thread.run(job, this.options.timeoutMs);
      if ('audio' in answer) resolve(bufferOf(answer.audio));
      else reject(internal(new Error(answer.fault)));
      if (this.stopped) await thread.end();
      else this.idle.push(thread);
    } catch (error) {
      reject(internal(error));
      await thread.end();
    } finally {
      this.running -= 1;
      this.next();
    }
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A worker thread with at most one job. Its listeners stay: Node.js stops its messages when all of them are taken off. */
class Thread {
  private readonly worker: Worker;
  private answered: ((answer: SpeechAnswer) => void) | undefined;
  private failed: ((error: Error) => void) | undefined;

  constructor(file: string) {
    this.worker = new Worker(file);
    this.worker.unref();
    this.worker.on('message', (answer: SpeechAnswer) => this.answered?.(answer));
    this.worker.on('error', (error: Error) => this.failed?.(error));
    this.worker.on('exit', (code) => this.failed?.(new Error(`the speech thread ended with code ${code}`)));
  }

  /** @throws Error when the thread dies or the time is over; then it must be ended */
  async run(job: SpeechJob, timeoutMs: number): Promise<SpeechAnswer> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<SpeechAnswer>((resolve, reject) => {
        this.answered = resolve;
        this.failed = reject;
        timer = setTimeout(() => reject(new Error('the speech engine took too long')), timeoutMs);
        this.worker.postMessage(job);
      });
    } finally {
      clearTimeout(timer);
      this.answered = this.failed = undefined;
    }
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
