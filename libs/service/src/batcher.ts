import { internal } from '@parley/errors';

/** The outcome of one item of a batch. */
export type Settled<Result> = { readonly value: Result } | { readonly error: unknown };

export interface BatcherOptions<Item, Result> {
  /** Settles the items of a batch, one outcome per item in order. A thrown error is thrown to each of them. */
  run(key: string, items: readonly Item[]): Promise<readonly Settled<Result>[]>;
  /** Maximum of items per batch. Default: 64. */
  readonly mostItems?: number;
  /** The size of an item. Default: 0. */
  bytesOf?(item: Item): number;
  /** A batch accepts items until it has this many bytes, and at least one. Default: 1 MiB. */
  readonly mostBytes?: number;
  /** Concurrent batches per key. Default: 1. */
  readonly concurrency?: number;
  /** Maximum of items waiting per key while its batches run. Default: 5,000. */
  readonly mostWaiting?: number;
  /** What a first batch collects: the requests of one message, which arrive in the same `moment`, or all of a `turn` of the event loop. Default: turn. */
  readonly collects?: 'moment' | 'turn';
  /** The error for an item beyond the maximum. Default: internal_error 503. */
  refusal?(): Error;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(value: Result): void;
  reject(error: unknown): void;
}

interface Line<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  running: number;
}

/**
 * Does work for many who wait at about the price of one: the items of one key are taken in batches, in their order of arrival. What arrives while the batches
 * of its key run is in the next one. Keys do not wait for each other, and nothing is kept of a key for which nothing waits.
 *
 * Not for a cache and not for reads of one tick alone (dataloader): here the pace is that of the batch before, which is what bounds the load on a database.
 */
export class Batcher<Item, Result> {
  private readonly lines = new Map<string, Line<Item, Result>>();
  private readonly serving = new Set<Promise<void>>();

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  submit(key: string, item: Item): Promise<Result> {
    const { concurrency = 1, mostWaiting = 5_000, refusal = tooMany } = this.options;
    const line = this.lines.get(key) ?? this.open(key);
    const isBusy = line.running >= concurrency;
    if (isBusy && line.waiting.length >= mostWaiting) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      line.waiting.push({ item, resolve, reject });
      if (isBusy) return;
      line.running += 1;
      const served = this.serve(key, line).finally(() => this.serving.delete(served));
      this.serving.add(served);
    });
  }

  /** Resolves when nothing is waiting or running. */
  async idle(): Promise<void> {
    while (this.serving.size > 0) await Promise.all(this.serving);
  }

  private open(key: string): Line<Item, Result> {
    const line = { waiting: [], running: 0 };
    this.lines.set(key, line);
    return line;
  }

  /** Never rejects. */
  private async serve(key: string, line: Line<Item, Result>): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.options.collects === 'moment') process.nextTick(resolve);
      else setImmediate(resolve);
    });
    while (line.waiting.length > 0) await this.settle(key, this.take(line.waiting));
    line.running -= 1;
    if (line.running === 0) this.lines.delete(key);
  }

  private async settle(key: string, taken: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = taken.map(({ item }) => item);
      const outcomes = await this.options.run(key, items);
      taken.forEach(({ resolve, reject }, place) => {
        const outcome = outcomes[place];
        if (outcome === undefined) reject(new Error('the batch returned fewer results than items'));
        else if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      });
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  private take(waiting: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    const { mostItems = 64, mostBytes = 1024 * 1024, bytesOf = () => 0 } = this.options;
    let bytes = 0;
    let count = 0;
    for (const { item } of waiting) {
      bytes += bytesOf(item);
      if (count > 0 && (count === mostItems || bytes > mostBytes)) break;
      count += 1;
    }
    return waiting.splice(0, count);
  }
}

const tooMany = (): Error => internal(new Error('too many requests of one key wait'), 503);
