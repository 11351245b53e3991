import { internal } from '@parley/errors';

/** The outcome of one item in a batch. */
export type Settled<Result> = { readonly value: Result } | { readonly error: unknown };

export interface BatcherOptions<Item, Result> {
  /** Processes a batch and returns one outcome per item, in order. An error that it throws becomes the error of every item. */
  run(key: string, items: readonly Item[]): Promise<readonly Settled<Result>[]>;
  /** Maximum of items per batch. Default: 64. */
  readonly mostItems?: number;
  /** Returns the size of an item in bytes. Default: 0. */
  bytesOf?(item: Item): number;
  /** A batch accepts items until it has this many bytes, but at least one item. Default: 1 MiB. */
  readonly mostBytes?: number;
  /** Concurrent batches per key. Default: 1. */
  readonly concurrency?: number;
  /** Maximum of waiting items per key while its batches run. Default: 5,000. */
  readonly mostWaiting?: number;
  /**
   * Which items the first batch of a key collects: those submitted at the same `moment` (the requests of one message), or within one `turn` of the event loop.
   * Default: turn.
   */
  readonly collects?: 'moment' | 'turn';
  /** Creates the error for an item beyond the maximum. Default: internal_error 503. */
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
 * Processes many items at about the cost of one: the items of a key are processed in batches, in the order of arrival. Items that arrive while the key's
 * batches run are in the next batch. Keys do not wait for each other, and no state is kept for a key without waiting items.
 * It is not a cache, and unlike dataloader it does not only group the reads of one tick: the next batch starts when the previous one is done, which limits the
 * load on a database.
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

  /** Resolves when no items are waiting or being processed. */
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

const tooMany = (): Error => internal(new Error('too many requests are waiting'), 503);
