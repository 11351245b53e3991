/** The abort signal of one request: aborted by the caller, or when the provider exceeds a timeout. */
export class Watch {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private waits = 0;
  private readonly forward = (): void => this.controller.abort();
  /** Whether the provider exceeded a timeout. */
  expired = false;

  constructor(private readonly caller: AbortSignal) {
    if (caller.aborted) this.controller.abort();
    else caller.addEventListener('abort', this.forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get canceled(): boolean {
    return this.caller.aborted && !this.expired;
  }

  /** Sets the time within which the provider must send something. */
  expect(ms: number): void {
    clearTimeout(this.timer);
    const waited = (this.waits += 1);
    this.timer = setTimeout(() => {
      // If this process itself was delayed, data that has already arrived is read first.
      setImmediate(() => {
        if (waited !== this.waits) return;
        this.expired = true;
        this.controller.abort();
      });
    }, ms);
  }

  /** Suspends the timeout, because the reader is not ready for more data. */
  relax(): void {
    this.waits += 1;
    clearTimeout(this.timer);
  }

  /** The request is complete; its connection may be reused. */
  finish(): void {
    this.relax();
    this.caller.removeEventListener('abort', this.forward);
  }

  /** The request is no longer needed; its connection is closed. */
  abandon(): void {
    this.finish();
    this.controller.abort();
  }
}
