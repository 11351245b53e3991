/** The signal of one request: aborted by the caller, or by a timeout of the provider. */
export class Watch {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private waits = 0;
  private readonly forward = (): void => this.controller.abort();
  /** The provider took too long. */
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

  /** The provider must send something within this time. */
  expect(ms: number): void {
    clearTimeout(this.timer);
    const waited = (this.waits += 1);
    this.timer = setTimeout(() => {
      // If this process is late, data that has arrived is read first.
      setImmediate(() => {
        if (waited !== this.waits) return;
        this.expired = true;
        this.controller.abort();
      });
    }, ms);
  }

  /** Suspends the timeout: the reader is not ready for more. */
  relax(): void {
    this.waits += 1;
    clearTimeout(this.timer);
  }

  /** The request is complete: its connection may be reused. */
  finish(): void {
    this.relax();
    this.caller.removeEventListener('abort', this.forward);
  }

  /** The request is no longer needed: its connection is closed. */
  abandon(): void {
    this.finish();
    this.controller.abort();
  }
}
