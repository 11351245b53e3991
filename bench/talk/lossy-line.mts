import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** The share of packets that are lost, in percent. */
export const lostPercent = 5;
/** How much later a lost packet arrives: three later packets of 20 ms are acknowledged before it is sent again, plus a round trip of 50 ms. */
export const repeatedAfterMs = 110;
/** The duration of a stall: a retransmission that is lost too. */
export const stallMs = 400;
export const stallEveryMs = 8_000;

/**
 * A TCP proxy between carrier and engine that delays data like TCP over a line that loses packets: nothing is lost or reordered, but data after a lost packet
 * waits for it. The same packets are lost in every run.
 */
export class LossyLine {
  /** The port of the engine on this machine; set before the first call. */
  target = 0;
  readonly figures = { chunks: 0, repeated: 0, stalls: 0, connections: 0 };
  private readonly sockets = new Set<Socket>();
  private readonly server = net.createServer((socket) => this.connect(socket));

  static async start(): Promise<LossyLine> {
    const line = new LossyLine();
    line.server.listen(0, '127.0.0.1');
    await once(line.server, 'listening');
    return line;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private connect(near: Socket): void {
    this.figures.connections += 1;
    const far = net.connect(this.target, '127.0.0.1');
    const seed = this.figures.connections;
    this.carry(near, far, 2 * seed);
    this.carry(far, near, 2 * seed + 1);
  }

  private carry(from: Socket, to: Socket, seed: number): void {
    this.sockets.add(from.setNoDelay(true));
    let random = seed * 2_654_435_761;
    let dueAt = 0;
    // The lines do not all stall at the same time.
    let stallAt = performance.now() + 2_000 + ((seed * 977) % stallEveryMs);
    const waiting: { readonly dueAt: number; readonly run: () => void }[] = [];
    let timer: NodeJS.Timeout | undefined;
    const settle = (): void => {
      timer = undefined;
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        const wait = next.dueAt - performance.now();
        if (wait > 0) return void (timer = setTimeout(settle, wait));
        waiting.shift();
        next.run();
      }
    };
    const inOrder = (run: () => void): void => {
      waiting.push({ dueAt, run });
      if (timer === undefined) settle();
    };
    from.on('data', (bytes: Buffer) => {
      const now = performance.now();
      this.figures.chunks += 1;
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      let late = 0;
      if (now >= stallAt) {
        stallAt = now + stallEveryMs;
        late = stallMs;
        this.figures.stalls += 1;
      } else if (random % 1_000 < 10 * lostPercent) {
        late = repeatedAfterMs;
        this.figures.repeated += 1;
      }
      dueAt = Math.max(dueAt, now + late);
      inOrder(() => to.write(bytes));
    });
    const close = (): void => {
      this.sockets.delete(from);
      inOrder(() => to.end());
    };
    from.on('end', close);
    from.on('error', () => to.destroy());
    from.on('close', () => this.sockets.delete(from));
  }
}
