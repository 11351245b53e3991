import type { IncomingMessage } from 'node:http';

/** The time between two refusals while others wait: 100 in a second. */
const everyMs = 10;
/** A body of at most so many bytes is usually on its way. Its client gets so much time for it, and keeps its connection. */
const smallBytes = 16 * 1024;
const soonMs = 50;
/** How many wait at once; the last one for 41 s. Each is a connection and little else. */
const mostWaiting = 4_096;

/**
 * When the errors of requests are sent whose bodies have not arrived. Clients that send again at once would otherwise keep the process busy with refusals. So
 * only a number is sent in each second, evenly, and the others wait, which costs nothing: what has arrived is dropped, and nothing is read. Who the client is
 * does not matter, because behind a proxy a connection does not show it.
 */
export class LateRefusals {
  private readonly waiting: (() => void)[] = [];
  private arriving = 0;
  private timer: NodeJS.Timeout | undefined;

  /** Calls `send`, now or later. */
  send(request: IncomingMessage, send: () => void): void {
    if (request.complete || request.destroyed || this.waiting.length + this.arriving >= mostWaiting) return send();
    if (this.timer === undefined) {
      this.timer = setTimeout(() => this.next(), everyMs);
      return send();
    }
    if (Number(request.headers['content-length'] ?? Infinity) > smallBytes) return this.hold(request, send);
    this.arriving += 1;
    const settle = (act: () => void) => () => {
      clearTimeout(timer);
      for (const event of ['end', 'close']) request.off(event, arrived);
      this.arriving -= 1;
      act();
    };
    const timer = setTimeout(
      settle(() => this.hold(request, send)),
      soonMs,
    );
    const arrived = settle(send);
    for (const event of ['end', 'close']) request.once(event, arrived);
    request.resume();
  }

  private hold(request: IncomingMessage, send: () => void): void {
    const { socket } = request;
    request.pause().read();
    // After all callbacks of the current reads, which would resume the connection.
    setImmediate(() => socket.pause());
    this.waiting.push(send);
    this.timer ??= setTimeout(() => this.next(), everyMs);
  }

  private next(): void {
    const send = this.waiting.shift();
    this.timer = send && setTimeout(() => this.next(), everyMs);
    send?.();
  }
}
