interface Part<T> {
  readonly data: readonly T[];
}

/** Pages of a list as one list. A new page costs as much after a thousand pages as after one: no record is copied. */
export class Listing<T> {
  readonly length: number;
  private readonly pages: readonly Part<T>[];
  private readonly starts: readonly number[];

  constructor(pages: readonly Part<T>[]) {
    const starts: number[] = [];
    let length = 0;
    for (const { data } of pages) {
      starts.push(length);
      length += data.length;
    }
    this.pages = pages;
    this.starts = starts;
    this.length = length;
  }

  /** The records from one index to before another one. */
  slice(first: number, end: number): T[] {
    const found: T[] = [];
    for (let n = this.pageOf(first); n < this.pages.length && found.length < end - first; n += 1) {
      const start = this.starts[n] ?? 0;
      found.push(...(this.pages[n]?.data.slice(Math.max(0, first - start), end - start) ?? []));
    }
    return found;
  }

  private pageOf(index: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Gives the elements of rows that left the window to rows that enter it: to change a row's texts costs less than to create a row. */
export class RowKeys {
  private keys = new Map<string, number>();
  private next = 0;

  /** A key for each id. An id that was in the last call keeps its key. */
  of(ids: readonly string[]): number[] {
    const before = this.keys;
    const wanted = new Set(ids);
    const free = [...before].filter(([id]) => !wanted.has(id)).map(([, key]) => key);
    this.keys = new Map(ids.map((id) => [id, before.get(id) ?? free.shift() ?? this.next++]));
    return [...this.keys.values()];
  }
}
