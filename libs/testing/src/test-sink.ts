import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SinkRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body as text; `json` is the parsed body if it is JSON. */
  text: string;
  json: unknown;
  receivedAt: Date;
}

export interface SinkAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Returns the response to a request; undefined means 204. */
export type SinkHandler = (
  request: SinkRequest,
  response: ServerResponse,
) => Promise<SinkAnswer | void> | SinkAnswer | void;

export interface TestSink {
  url: string;
  /** All requests received so far, oldest first. */
  requests: SinkRequest[];
  /** The first request, already received or future, that satisfies the predicate. */
  next(predicate: (request: SinkRequest) => boolean, timeoutMs?: number): Promise<SinkRequest>;
  close(): Promise<void>;
}

/** An HTTP server on the loopback address that records the requests it receives. */
export async function testSink(handler: SinkHandler = () => undefined): Promise<TestSink> {
  const requests: SinkRequest[] = [];
  const waiting = new Set<(request: SinkRequest) => void>();
  const server = createServer((request, response) => {
    receive(request)
      .then(async (received) => {
        requests.push(received);
        for (const look of [...waiting]) look(received);
        const answer = (await handler(received, response)) ?? {};
        if (response.writableEnded || response.headersSent || response.destroyed) return;
        response.writeHead(answer.status ?? (answer.body === undefined ? 204 : 200), answer.headers);
        response.end(answer.body);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (predicate, timeoutMs = 20_000) =>
      new Promise((resolve, reject) => {
        const past = requests.find(predicate);
        if (past !== undefined) {
          resolve(past);
          return;
        }
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`no such request within ${timeoutMs} ms; ${requests.length} others arrived`));
        }, timeoutMs);
        const look = (request: SinkRequest) => {
          if (!predicate(request)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(request);
        };
        waiting.add(look);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(request: IncomingMessage): Promise<SinkRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const text = body.toString('utf8');
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body,
    text,
    json: parse(text),
    receivedAt: new Date(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
