import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { startHttpServer, type RunningHttpServer } from './http-server';

let server: RunningHttpServer;
let serve: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  serve = (_, response) => void setImmediate(() => response.end('served'));
  server = await startHttpServer({ handler: (request, response) => serve(request, response) }, '127.0.0.1', 0);
});
afterEach(async () => {
  const drained = server.drain();
  server.close();
  await drained;
});

const get = 'GET /v1/nope HTTP/1.1\r\nHost: a\r\n\r\n';

class Client {
  received = '';
  private constructor(readonly socket: Socket) {}

  static opened(text: string): Client {
    const client = new Client(connect(server.port, '127.0.0.1').setEncoding('latin1'));
    client.socket.on('data', (chunk: string) => (client.received += chunk));
    // The server may close the connection first.
    client.socket.on('error', () => undefined);
    client.socket.write(text);
    return client;
  }

  get answers(): number {
    return this.received.split('HTTP/1.1 200').length - 1;
  }

  async answered(count: number): Promise<void> {
    while (this.answers < count) await once(this.socket, 'data');
  }

  closed = (): Promise<unknown> => (this.socket.closed ? Promise.resolve() : once(this.socket, 'close'));
}

describe('requests that wait on one connection', () => {
  it('are served up to 32, again and again, and with one more the connection is closed and all of them are released', async () => {
    const client = Client.opened(get.repeat(32));
    await client.answered(32);
    client.socket.write(get.repeat(32));
    await client.answered(64);
    let open = 0;
    serve = (_, response) => {
      open += 1;
      response.on('close', () => (open -= 1));
    };
    client.socket.write(get.repeat(33));
    await client.closed();
    expect([client.answers, open]).toEqual([64, 0]);
  });

  it('do not delay those of others: of 75,000 on six connections only the first are handled before another is served', async () => {
    let served = 0;
    serve = (_, response) => {
      served += 1;
      response.end('served');
    };
    const clients = Array.from({ length: 6 }, () => Client.opened(get.repeat(12_500)));
    const [answer] = (await once(send({ port: server.port }).end(), 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(200);
    await Promise.all(clients.map((client) => client.closed()));
    expect(served).toBeLessThan(1_000);
  });
});

describe('the rest of a body after the response', () => {
  const post = 'POST /v1/nope HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n';

  it('closes the connection if it takes longer than 2 s', async () => {
    const client = Client.opened(post);
    await client.answered(1);
    const began = performance.now();
    const timer = setInterval(() => client.socket.write('x'), 50);
    await client.closed();
    clearInterval(timer);
    expect(performance.now() - began).toBeGreaterThan(1_500);
  });

  it('is discarded if it is shorter, and the connection serves further requests for longer than that', async () => {
    const client = Client.opened(post);
    await client.answered(1);
    client.socket.write('x'.repeat(1_000) + get);
    await client.answered(2);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    client.socket.write(get);
    await client.answered(3);
    client.socket.destroy();
  });
});
