import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { PatternQuestion, SchemaAnswer, SchemaQuestion } from './schema-thread';

/** The compiled thread, also if this file runs from its source. */
const file = join(__dirname, '../../dist/tools/schema-thread.js');

/** The CPU time of one validation in milliseconds; the largest reasonable one takes one millisecond. */
const mostMs = 500;
/** How long a validation may take in total. On a busy machine the thread may get little CPU time. */
const mostElapsedMs = 10_000;
const startMs = 10_000;

const endless = 'validating the arguments against the parameters of the tool takes too long';

interface Waiting {
  readonly question: SchemaQuestion | PatternQuestion;
  /** The answer if the check takes too long. */
  readonly endless: string;
  readonly resolve: (problems: readonly string[]) => void;
}

export interface ArgumentValidator {
  /** Returns the validation errors of a value; empty if it is valid. Never rejects: a schema that cannot be applied results in an error too. */
  problems(schema: object, value: unknown): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Checks values by schemas and patterns of customers, in order, in one thread. A check that takes too long terminates only that thread. */
export class ThreadedValidator implements ArgumentValidator {
  private readonly queue: Waiting[] = [];
  private thread: Worker | undefined;
  private current: Waiting | undefined;
  private timer: NodeJS.Timeout | undefined;
  private ready = false;
  private closed = false;

  problems(schema: object, value: unknown): Promise<readonly string[]> {
    return this.ask({ schema: JSON.stringify(schema), value: JSON.stringify(value) }, endless);
  }

  /** Returns why no text matches; empty if one does. @param pattern can be compiled; customers write it */
  problemsOfTexts(pattern: string, texts: readonly string[]): Promise<readonly string[]> {
    return this.ask({ pattern, texts }, `${pattern} takes too long to match`);
  }

  private ask(question: Waiting['question'], endless: string): Promise<readonly string[]> {
    return new Promise((resolve) => {
      if (this.closed) return resolve(['arguments are no longer validated']);
      this.queue.push({ question, endless, resolve });
      this.next();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const { thread } = this;
    this.drop(['arguments are no longer validated']);
    for (const { resolve } of this.queue.splice(0)) resolve(['arguments are no longer validated']);
    await thread?.terminate();
  }

  private next(): void {
    if (this.current !== undefined) return;
    if (this.thread === undefined) {
      if (this.queue.length > 0) this.start();
      return;
    }
    if (!this.ready) return;
    this.current = this.queue.shift();
    if (this.current === undefined) return;
    this.limit(mostElapsedMs);
    this.limitCpuTime(this.thread, this.current);
    this.thread.postMessage(this.current.question);
  }

  /** Terminates the thread once the validation has used its CPU time. The time that the thread waited for a core does not count. */
  private limitCpuTime(thread: Worker, validation: Waiting): void {
    const isRunning = (): boolean => this.thread === thread && this.current === validation;
    const usedMs = async (): Promise<number> => {
      const { user, system } = await thread.cpuUsage();
      return (user + system) / 1_000;
    };
    const watch = async (): Promise<void> => {
      const before = await usedMs();
      while (isRunning()) {
        await pause(mostMs / 5, undefined, { ref: false });
        if (isRunning() && (await usedMs()) - before > mostMs && isRunning()) this.stopThread();
      }
    };
    // Fails if the thread has ended; that is handled by its own events.
    watch().catch(() => undefined);
  }

  private start(): void {
    const thread = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: 64 } });
    thread.unref();
    this.thread = thread;
    this.limit(startMs);
    thread.on('message', (answer: SchemaAnswer | 'ready') => {
      if (this.thread !== thread) return;
      clearTimeout(this.timer);
      if (answer === 'ready') this.ready = true;
      else {
        this.current?.resolve(answer.problems);
        this.current = undefined;
      }
      this.next();
    });
    const gone = (): void => {
      if (this.thread === thread) this.failed();
    };
    thread.on('error', gone);
    thread.on('exit', gone);
  }

  private limit(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.stopThread(), milliseconds).unref();
  }

  private stopThread(): void {
    this.thread?.terminate().catch(() => undefined);
    this.failed();
  }

  private failed(): void {
    // A thread that failed to start would fail again, so the next validation fails instead of starting another one.
    if (!this.ready) this.current ??= this.queue.shift();
    this.drop([this.current?.endless ?? endless]);
    if (!this.closed) this.next();
  }

  private drop(problems: readonly string[]): void {
    clearTimeout(this.timer);
    const { current } = this;
    this.thread = undefined;
    this.ready = false;
    this.current = undefined;
    current?.resolve(problems);
  }
}
