import { Worker } from 'node:worker_threads';
import { AppError, internal } from '@parley/errors';

export interface SpeechJob {
  /** The owner of the job; owners take turns. */
  readonly owner: string;
  /** The arguments of the engine's command line, without the output file. */
  readonly args: readonly string[];
}

export type SpeechAnswer = { readonly audio: Uint8Array } | { readonly failure: string };

export interface SpeechPoolOptions {
  /** The path of the compiled worker. */
  readonly file: string;
  /** Maximum of threads; they are started on demand. */
  readonly threads: number;
  /** Maximum of waiting jobs. Beyond it, a job of the owner with the most waiting jobs is refused with 429. */
  readonly waiting: number;
  /** Milliseconds after which a synthesis is aborted and its thread terminated. */
  readonly timeoutMs: number;
}

interface Waiting {
  readonly job: SpeechJob;
  readonly resolve: (audio: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A pool of threads for synthesis, so that it does not block the requests of this process. The number of threads, the queue and the duration of a job are
 * limited.
 */
export class SpeechPool {
  private readonly idle: Thread[] = [];
  private readonly queue: Waiting[] = [];
  private running = 0;
  /** The owners of the most recently started jobs, in order. */
  private readonly turns: string[] = [];
  private stopped = false;

  constructor(private readonly options: SpeechPoolOptions) {}

  /** @throws AppError rate_limited (429) if too many jobs wait; internal_error if the engine fails or takes too long */
  synthesize(job: SpeechJob): Promise<Buffer> {
    if (this.queue.length >= this.options.waiting && this.running >= this.options.threads) this.makeRoom(job.owner);
    return new Promise((resolve, reject) => {
      this.queue.push({ job, resolve, reject });
      this.next();
    });
  }

  /**
   * Rejects the last job of the owner with the most waiting ones.
   * @throws AppError rate_limited unless that owner has at least two more waiting jobs than the requester
   */
  private makeRoom(owner: string): void {
    const waitingOf = (one: string): number => this.queue.filter(({ job }) => job.owner === one).length;
    const most = this.queue.reduce(
      (found, { job }) => (waitingOf(job.owner) > waitingOf(found) ? job.owner : found),
      owner,
    );
    if (waitingOf(most) <= waitingOf(owner) + 1) throw tooMany();
    const last = this.queue.findLastIndex(({ job }) => job.owner === most);
    const [given] = this.queue.splice(last, 1);
    given?.reject(tooMany());
  }

  /** Removes and returns the next job: one of the owner whose last job started longest ago. */
  private take(): Waiting | undefined {
    const turn = ({ job }: Waiting): number => this.turns.lastIndexOf(job.owner);
    const next = this.queue.reduce<Waiting | undefined>(
      (first, one) => (first === undefined || turn(one) < turn(first) ? one : first),
      undefined,
    );
    if (next === undefined) return undefined;
    this.queue.splice(this.queue.indexOf(next), 1);
    this.turns.push(next.job.owner);
    // Limits the list, because more entries than waiting and running jobs are not needed.
    if (this.turns.length > this.options.waiting + this.options.threads) this.turns.shift();
    return next;
  }

  /** Terminates idle threads and rejects waiting jobs; running jobs complete. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const { reject } of this.queue.splice(0)) reject(internal(new Error('the service is stopping'), 503));
    await Promise.all(this.idle.splice(0).map((thread) => thread.end()));
  }

  private next(): void {
    if (this.running >= this.options.threads) return;
    const waiting = this.take();
    if (waiting === undefined) return;
    this.running += 1;
    this.run(this.idle.pop() ?? new Thread(this.options.file), waiting).catch(waiting.reject);
  }

  private async run(thread: Thread, { job, resolve, reject }: Waiting): Promise<void> {
    try {
      const answer = await thread.run(job, this.options.timeoutMs);
      if ('audio' in answer) resolve(bufferOf(answer.audio));
      else reject(internal(new Error(answer.failure)));
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

const tooMany = (): AppError =>
  new AppError('rate_limited', 'too many texts wait to be spoken', { fields: { retry_after_seconds: 1 } });

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A worker thread that runs at most one job. Its listeners stay attached, because Node.js stops delivering messages when all are removed. */
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

  /** @throws Error if the thread dies or the timeout is exceeded, after which the thread must be terminated */
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
