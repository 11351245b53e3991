/** A wait that can be ended early. A signal that arrives while no one waits ends the next wait. */
export class Signal {
  private signaled = false;
  private release: (() => void) | undefined;

  /** Ends the current wait, or else the next one immediately. */
  signal(): void {
    this.signaled = true;
    this.release?.();
  }

  /** Waits for a signal, for at most `timeoutMs` milliseconds. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.signaled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.release = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.release = undefined;
    }
    this.signaled = false;
  }
}
