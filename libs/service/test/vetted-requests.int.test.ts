import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createAddressPolicy, createVettedRequests, type VettedRequests } from '../src';

const mostBytes = 100_000;

describe("a response of a customer's server", () => {
  let server: Server;
  let requests: VettedRequests;
  /** Bytes of the last endless response. */
  let sent = 0;
  let closed: Promise<unknown>;

  beforeAll(async () => {
    requests = createVettedRequests(createAddressPolicy({ development: true }), { mostBytes });
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
      const text = 'a'.repeat(Number(searchParams.get('bytes')));
      if (pathname === '/plain') return void response.end(text);
      if (pathname === '/gzip') return void response.setHeader('content-encoding', 'gzip').end(gzipSync(text));
      if (pathname === '/empty') return void response.writeHead(204).end();
      closed = once(response, 'close');
      sent = 0;
      const write = (): void => {
        while (!response.destroyed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536, 'a'))) return void response.once('drain', write);
        }
      };
      write();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    await requests.close();
    server.closeAllConnections();
    server.close();
  });

  const ask = (path: string) => requests.fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

  it.each(['/plain', '/gzip'])('%s is read up to the limit, and fails beyond', async (path) => {
    const answer = await ask(`${path}?bytes=${mostBytes}`);
    expect((await answer.text()).length).toBe(mostBytes);
    await expect((await ask(`${path}?bytes=${mostBytes + 1}`)).text()).rejects.toThrow(`${mostBytes} bytes`);
  });

  it('without end is closed', async () => {
    await expect((await ask('/endless')).text()).rejects.toThrow(`${mostBytes} bytes`);
    await closed;
    expect(sent).toBeLessThan(50_000_000);
  });

  it('keeps its status and headers, also without a body', async () => {
    const answer = await ask('/gzip?bytes=1');
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect((await ask('/empty')).status).toBe(204);
  });
});
