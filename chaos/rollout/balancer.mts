import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Upstream {
  readonly url: URL;
  inRotation: boolean;
  readonly agent: http.Agent;
}

/**
 * Acts as the Service in front of the gateways of a cluster: distributes requests in turn over keep-alive connections. It does not retry: if a gateway breaks a
 * connection during a request, the client gets an error.
 */
export class Balancer {
  /** Requests whose connection broke, counted by the error of the connection. */
  readonly broken = new Map<string, number>();
  private readonly upstreams: Upstream[] = [];
  private turn = 0;
  private readonly server = http.createServer((request, response) => this.pass(request, response));

  constructor(urls: readonly string[]) {
    for (const url of urls) this.add(url);
  }

  add(url: string): void {
    this.upstreams.push({
      url: new URL(url),
      inRotation: true,
      agent: new http.Agent({ keepAlive: true, maxSockets: 64 }),
    });
  }

  /** Requests in progress are still answered. */
  remove(url: string): void {
    const gone = new URL(url).href;
    for (const upstream of this.upstreams) if (upstream.url.href === gone) upstream.inRotation = false;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Removes a gateway from the rotation or adds it again: a pod that is about to end leaves its Service first (the purpose of preStopSeconds), and joins it
   * when it is ready.
   */
  rotate(index: number, inRotation: boolean): void {
    const upstream = this.upstreams[index];
    if (upstream !== undefined) upstream.inRotation = inRotation;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
    for (const { agent } of this.upstreams) agent.destroy();
  }

  private next(): Upstream | undefined {
    const open = this.upstreams.filter(({ inRotation }) => inRotation);
    this.turn += 1;
    return open[this.turn % Math.max(1, open.length)];
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const upstream = this.next();
    if (upstream === undefined) {
      this.fail(response, 'no gateway in rotation');
      return;
    }
    const { connection: _c, 'keep-alive': _k, ...headers } = request.headers;
    const onward: ClientRequest = http.request(
      new URL(request.url ?? '/', upstream.url),
      { method: request.method, headers, agent: upstream.agent },
      (answer) => {
        const { connection: _own, 'keep-alive': _kept, 'transfer-encoding': _chunks, ...passed } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, passed);
        answer.once('error', (error) => response.destroy(error));
        answer.pipe(response);
      },
    );
    onward.once('error', (error: NodeJS.ErrnoException) => this.fail(response, error.code ?? error.message));
    request.pipe(onward);
  }

  private fail(response: ServerResponse, what: string): void {
    this.broken.set(what, (this.broken.get(what) ?? 0) + 1);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end(what);
  }
}
