import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FaultProxy {
  readonly url: string;
  /** The Idempotency-Keys of all write requests in order, including refused ones. */
  readonly keys: (string | undefined)[];
  close(): void;
}

/** A proxy that refuses each write (identified by its key) twice with 429 and a Retry-After, and then forwards it to the platform. */
export async function faultProxy(target: string): Promise<FaultProxy> {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const key = request.headers['idempotency-key'];
      keys.push(typeof key === 'string' ? key : undefined);
      if (keys.filter((one) => one === key).length <= 2) {
        const body = { error: 'rate_limited', message: 'too many requests', retry_after_seconds: 0 };
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify(body));
        return;
      }
      const headers = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value] as [string, string]] : [];
      });
      fetch(new URL(request.url ?? '/', target), { method: request.method ?? '', headers, body: Buffer.concat(chunks) })
        .then(async (answer) => {
          const text = await answer.text();
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
        })
        .catch(() => response.destroy());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    keys,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
