import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A loopback proxy that adds the key, for clients that support an address but no header. */
export interface KeyProxy {
  readonly origin: string;
  /** Sets the target of all further requests. */
  forward(baseUrl: string, key: string): void;
  close(): void;
}

export async function keyProxy(): Promise<KeyProxy> {
  let target: { url: URL; key: string } | undefined;
  const server = http.createServer((request, response) => {
    if (target === undefined) {
      response.writeHead(503).end();
      return;
    }
    const headers = { ...request.headers, authorization: `Bearer ${target.key}` };
    const { hostname, port } = target.url;
    const forwarded = http.request({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forward: (baseUrl, key) => (target = { url: new URL(baseUrl), key }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
