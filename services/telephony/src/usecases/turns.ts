import { internal } from '@parley/errors';

/** What a turn settled one of its items with. */
export type Settled<Result> = { readonly value: Result } | { readonly error: unknown };

export interface TurnsOptions<Item, Result> {
  /** Settles a turn's items, one outcome an item in their order. What it throws is thrown to all of them. */
  run(key: string, items: readonly Item[]): Promise<readonly Settled<Result>[]>;
  /** What an item weighs; a turn takes items until it holds `mostBytes`, and one in any case. */
  bytesOf(item: Item): number;
  readonly mostItems?: number;
  readonly mostBytes?: number;
  /** How many may wait under one key; one more is refused with 503. */
  readonly mostWaiting?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(value: Result): void;
  reject(error: unknown): void;
}

/**
 * Work that is done for many who wait at about the price of one: items of one key are taken together, in their order of
 * arrival, one turn at a time. What arrives while a turn runs is in the next one. Keys do not wait for each other, and
 * nothing is kept of a key that nobody waits for.
 */
export class Turns<Item, Result> {
  private readonly lines = new Map<string, Waiting<Item, Result>[]>();

  constructor(private readonly options: TurnsOptions<Item, Result>) {}

  submit(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const line = this.lines.get(key);
      const waiting = { item, resolve, reject };
      if (line === undefined) {
        const opened = [waiting];
        this.lines.set(key, opened);
        // Whatever else arrives with the same packet comes along.
        setImmediate(() => {
          this.serve(key, opened).catch(reject);
        });
      } else if (line.length < (this.options.mostWaiting ?? 5_000)) line.push(waiting);
      else reject(internal(new Error('too many requests of one organization wait'), 503));
    });
  }

  /** Never rejects. */
  private async serve(key: string, line: Waiting<Item, Result>[]): Promise<void> {
    while (line.length > 0) await this.turn(key, this.take(line));
    this.lines.delete(key);
  }

  private async turn(key: string, taken: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.options.run(
        key,
        taken.map(({ item }) => item),
      );
      taken.forEach(({ resolve, reject }, place) => {
        const outcome = outcomes[place];
        if (outcome === undefined) reject(new Error('a turn forgot one of its items'));
        else if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      });
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  private take(line: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    const { mostItems = 64, mostBytes = 1024 * 1024, bytesOf } = this.options;
    let bytes = 0;
    let count = 0;
    for (const { item } of line) {
      bytes += bytesOf(item);
      if (count > 0 && (count === mostItems || bytes > mostBytes)) break;
      count += 1;
    }
    return line.splice(0, count);
  }
}
