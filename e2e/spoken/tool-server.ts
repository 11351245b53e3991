import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolRequest {
  readonly path: string;
  readonly id: string;
  /** The headers of the signature, as named by Standard Webhooks. */
  readonly headers: Readonly<Record<string, string>>;
  /** The signed body. */
  readonly raw: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** A server for a customer's tools, with one response for each path. */
export class ToolServer {
  readonly requests: ToolRequest[] = [];
  private readonly server: Server;

  private constructor(answers: Readonly<Record<string, object>>) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const raw = Buffer.concat(chunks).toString();
        const header = (name: string): string => String(request.headers[name] ?? '');
        this.requests.push({
          path,
          id: header('webhook-id'),
          headers: Object.fromEntries(signed.map((name) => [name, header(name)])),
          raw,
          body: JSON.parse(raw) as ToolRequest['body'],
        });
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[path] ?? {}));
      });
    });
  }

  static async start(answers: Readonly<Record<string, object>>): Promise<ToolServer> {
    const server = new ToolServer(answers);
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
