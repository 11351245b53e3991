import { createHash } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook receiver that records the first arrival of each event and counts deliveries. */
export class Receiver {
  /** Milliseconds since 1970 of the first arrival, by event id. */
  readonly arrived = new Map<string, number>();
  deliveries = 0;
  /** The highest `created_at` of all events that have arrived. */
  youngest = 0;
  /** Maximum milliseconds from an event to its first arrival; set to 0 before a measurement. */
  longestWay = 0;
  /** The type of the event with that maximum. */
  latest = '';
  /** Maximum bytes of `/huge` that a client has read. */
  mostTaken = 0;
  /** Maximum milliseconds for which a client has read `/drip`. */
  longestDrip = 0;
  /** Events that arrived again at the same address with another body. */
  readonly changed = new Set<string>();
  private readonly digests = new Map<string, string>();
  /** Open requests to `/hole`, and the maximum that were open at the same time. */
  open = 0;
  mostOpen = 0;
  private readonly server = http.createServer((request, response) => this.take(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', 4_096, resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The number of deliveries beyond the first one of each event. */
  get repeated(): number {
    return this.deliveries - this.arrived.size;
  }

  /** Begins a measurement; the returned function ends it: deliveries that were repeated, and how late the latest event arrived. */
  watch(): () => { readonly repeated: number; readonly 'latest event s': string } {
    const before = this.repeated;
    this.longestWay = 0;
    return () => ({
      repeated: this.repeated - before,
      'latest event s': `${(this.longestWay / 1000).toFixed(1)} ${this.latest}`,
    });
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url?.startsWith('/huge') === true) this.pour(response);
      else if (request.url?.startsWith('/drip') === true) this.drip(response);
      else if (request.url?.startsWith('/hole') === true) this.swallow(response);
      else {
        const body = Buffer.concat(chunks);
        const { id, type, created_at } = JSON.parse(body.toString('utf8')) as Record<string, string>;
        this.deliveries += 1;
        this.compare(`${request.url} ${id}`, body);
        if (!this.arrived.has(id ?? '')) {
          this.arrived.set(id ?? '', Date.now());
          this.timeWay(Date.now() - Date.parse(created_at ?? ''), type ?? '');
        }
        this.youngest = Math.max(this.youngest, Date.parse(created_at ?? ''));
        response.writeHead(204).end();
      }
    });
  }

  private compare(key: string, body: Buffer): void {
    const digest = createHash('sha256').update(body).digest('base64');
    const first = this.digests.get(key);
    if (first === undefined) this.digests.set(key, digest);
    else if (first !== digest) this.changed.add(key);
  }

  private timeWay(ms: number, type: string): void {
    if (ms <= this.longestWay) return;
    this.longestWay = ms;
    this.latest = type;
  }

  /** Sends a gigabyte. */
  private pour(response: ServerResponse): void {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let left = 16_384;
    let taken = 0;
    response.writeHead(200, { 'content-type': 'text/plain' });
    const write = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        taken += chunk.length;
        this.mostTaken = Math.max(this.mostTaken, taken);
        if (!response.write(chunk)) return;
      }
      if (left === 0) response.end();
    };
    response.on('drain', write);
    write();
  }

  /** Sends one byte every fifth of a second, forever. */
  private drip(response: ServerResponse): void {
    const begun = performance.now();
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 200);
    response.once('close', () => {
      clearInterval(timer);
      this.longestDrip = Math.max(this.longestDrip, performance.now() - begun);
    });
  }

  private swallow(response: ServerResponse): void {
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    response.once('close', () => (this.open -= 1));
  }
}
