import { badRequest } from '@parley/errors';

/** The least rate of a body. */
const leastBytesPerSecond = 1024;
/** How long a body may be slower. */
const patienceMs = 5_000;
/** The first pieces may be of any size; then their mean is at least this, because each piece costs CPU. */
const freePieces = 10_000;
const leastBytesPerPiece = 64;

/**
 * The pace of a body that arrives. It begins with 5 s of credit, which waiting uses up and every KiB renews by a second, up to 5 s. A body without credit is
 * refused: otherwise a client would hold memory and connections with a few bytes a minute. So is one of tiny pieces.
 */
export class Pace {
  private creditMs = patienceMs;
  private waitsSinceMs = 0;
  private pieces = 0;
  private size = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly late: (error: Error) => void,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Waits for the next bytes. */
  wait(): void {
    this.waitsSinceMs = this.nowMs();
    this.timer ??= setTimeout(() => this.check(), this.creditMs);
  }

  /** Bytes arrived. */
  note(bytes: number): void {
    this.pieces += 1;
    this.size += bytes;
    if (this.pieces > freePieces && this.size < this.pieces * leastBytesPerPiece)
      this.late(badRequest('the body consists of too many small pieces'));
    this.creditMs = Math.min(patienceMs, this.leftMs() + (bytes / leastBytesPerSecond) * 1_000);
    this.waitsSinceMs = this.nowMs();
  }

  /** Nothing is awaited any more, or not for now. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private leftMs(): number {
    return this.creditMs - (this.nowMs() - this.waitsSinceMs);
  }

  private check(): void {
    const leftMs = this.leftMs();
    // The timer is not set again for every piece, so it may have been due before the credit is.
    if (leftMs > 0) this.timer = setTimeout(() => this.check(), Math.ceil(leftMs));
    else this.late(badRequest('the body is slower than 1 KiB/s'));
  }
}
