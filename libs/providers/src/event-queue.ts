/** With more unread events than this, the source is requested to pause; with fewer, to resume. */
const mostUnread = 64;

export interface QueueListener {
  /** Called when the reader falls behind (true) or has caught up (false). */
  onPressure?(behind: boolean): void;
  /** Called if the reader stops before the end. */
  onLeft?(): void;
}

/** A queue between a source that pushes events and a single reader that iterates over them. */
export class EventQueue<T> implements AsyncIterable<T> {
  private readonly unread: T[] = [];
  private waiting: ((result: IteratorResult<T>) => void) | undefined;
  private refuse: ((error: Error) => void) | undefined;
  private over: { readonly error?: Error } | undefined;
  private behind = false;

  constructor(private readonly listener: QueueListener = {}) {}

  /** Whether the reader has fallen behind, so that the source should pause. */
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

  /** Ends the queue once the pushed events are read. Only the first end has an effect. */
  finish(): void {
    this.end({});
  }

  /** Ends the queue with an error once the pushed events are read. */
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
      // The error is thrown only once.
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
