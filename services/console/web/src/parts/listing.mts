interface Part<T> {
  readonly data: readonly T[];
  /** The number of records of a page that was dropped, whose `data` is empty. */
  readonly dropped?: number;
}

const lengthOf = ({ data, dropped }: Part<unknown>): number => dropped ?? data.length;

/** Pages of a list as one list. A new page costs as much after a thousand pages as after one: no record is copied. */
export class Listing<T> {
  readonly length: number;
  /** The number of pages with records. */
  readonly kept: number;
  private readonly pages: readonly Part<T>[];
  private readonly starts: readonly number[];

  constructor(pages: readonly Part<T>[]) {
    const starts: number[] = [];
    let length = 0;
    for (const page of pages) {
      starts.push(length);
      length += lengthOf(page);
    }
    this.pages = pages;
    this.starts = starts;
    this.length = length;
    this.kept = pages.filter(({ dropped }) => dropped === undefined).length;
  }

  /** The records from one index to before another one; undefined for those that were dropped. */
  slice(first: number, end: number): (T | undefined)[] {
    const found: (T | undefined)[] = [];
    for (let n = this.pageOf(first); n < this.pages.length && found.length < end - first; n += 1) {
      const page = this.pages[n];
      const records =
        page?.dropped === undefined ? (page?.data ?? []) : new Array<undefined>(page.dropped).fill(undefined);
      const start = this.starts[n] ?? 0;
      found.push(...records.slice(Math.max(0, first - start), end - start));
    }
    return found;
  }

  /** The first dropped page with records from one index to before another one. */
  droppedPage(first: number, end: number): number | undefined {
    for (let n = this.pageOf(first); n < this.pages.length && (this.starts[n] ?? 0) < end; n += 1)
      if (this.pages[n]?.dropped !== undefined) return n;
    return undefined;
  }

  /** The index of the page with this record. */
  pageOf(index: number): number {
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

/** The pages, of which those far from one page have no records. The first one keeps its records: new ones are added to it. */
export function withoutFar<P extends Part<unknown>>(pages: readonly P[], near: number, distance: number): P[] {
  return pages.map((page, n) =>
    n === 0 || Math.abs(n - near) <= distance || page.dropped !== undefined
      ? page
      : { ...page, data: [], dropped: page.data.length },
  );
}

interface List<P> {
  readonly pages: readonly P[];
  readonly pageParams: readonly unknown[];
}

/** The list with a page that was read again. If records entered or left it since, the next page would repeat or omit some: the list continues after it. */
export function withPage<P extends Part<unknown> & { readonly next_cursor: string | null }, L extends List<P>>(
  list: L,
  n: number,
  page: P,
): L {
  const count = list.pages[n]?.next_cursor === page.next_cursor ? list.pages.length : n + 1;
  return { ...list, pages: list.pages.with(n, page).slice(0, count), pageParams: list.pageParams.slice(0, count) };
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
