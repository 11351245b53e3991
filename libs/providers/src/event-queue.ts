/** Above this number of unread events the source is asked to pause, below it to resume. */
const mostUnread = 64;

export interface QueueListener {
  /** The reader falls behind, or has caught up. */
  onPressure?(behind: boolean): void;
  /** The reader stopped before the end. */
  onLeft?(): void;
}

/** A queue from a pushing source to a single iterating reader. */
export class EventQueue<T> implements AsyncIterable<T> {
  private readonly unread: T[] = [];
  private waiting: ((result: IteratorResult<T>) => void) | undefined;
  private refuse: ((error: Error) => void) | undefined;
  private over: { readonly error?: Error } | undefined;
  private behind = false;

  constructor(private readonly listener: QueueListener = {}) {}

  /** The reader is asked to catch up before more is pushed. */
  get isBehind(): boolean {
    return this.behind;
  }

  push(event: T): void {
    if (this.over !== undefined) return;
    const { waiting } = this;
    if (waiting !== undefined) {
      this.waiting = undefined;
      return waiting({ done: false, value: event });
    }
    this.unread.push(event);
    if (!this.behind && this.unread.length >= mostUnread) this.press(true);
  }

  /** Ends the queue after the pushed events are read. Only the first end counts. */
  finish(): void {
    this.end({});
  }

  /** Ends the queue with an error after the pushed events are read. */
  fail(error: Error): void {
    this.end({ error });
  }

  /** Ends the queue now: unread events are dropped. */
  cut(error: Error): void {
    if (this.over !== undefined && this.unread.length === 0) return;
    this.unread.length = 0;
    this.over = undefined;
    this.end({ error });
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return {
      next: () => this.next(),
      return: () => {
        this.unread.length = 0;
        this.over ??= {};
        this.listener.onLeft?.();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  private end(over: { readonly error?: Error }): void {
    if (this.over !== undefined) return;
    this.over = over;
    const { waiting, refuse } = this;
    if (waiting === undefined) return;
    this.waiting = undefined;
    if (over.error === undefined) waiting({ done: true, value: undefined });
    else {
      // The error is thrown once.
      this.over = {};
      refuse?.(over.error);
    }
  }

  private next(): Promise<IteratorResult<T>> {
    const value = this.unread.shift();
    if (value !== undefined) {
      if (this.behind && this.unread.length <= mostUnread / 4) this.press(false);
      return Promise.resolve({ done: false, value });
    }
    if (this.over !== undefined) {
      const { error } = this.over;
      this.over = {};
      return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      this.waiting = resolve;
      this.refuse = reject;
    });
  }

  private press(behind: boolean): void {
    this.behind = behind;
    this.listener.onPressure?.(behind);
  }
}
