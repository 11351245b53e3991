/**
 * A customer's server of tools, as a process of its own. Below /signed it refuses what is not signed as Standard Webhooks ask, by their own library. What
 * it received is sent to its parent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

const secret = process.env['TOOL_SECRET'] ?? '';

const answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  echo: (_, response) => json(response, 200, { found: true, price: 12.5 }),
  text: (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('  plain words \n'),
  empty: (_, response) => response.writeHead(204).end(),
  fail: (_, response) => json(response, 500, { error: 'no database' }),
  unprocessable: (_, response) => response.writeHead(422).end('the order is closed'),
  redirect: (_, response) => response.writeHead(307, { location: '/signed/echo' }).end(),
  huge: (_, response) => response.writeHead(200).end('é'.repeat(100_000)),
  silent: () => undefined,
  stalls: (_, response) => {
    response.writeHead(200);
    response.write('half');
  },
  cut: (request) => request.socket.destroy(),
  cutmidway: (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setTimeout(() => request.socket.destroy(), 20);
  },
  garbage: (request) => request.socket.end('not HTTP at all\r\n\r\n'),
  leaks: (request, response) =>
    json(response, 200, {
      authorization: request.headers['authorization'],
      card: '4111 1111 1111 1111',
      order: '1234567',
    }),
};

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString('utf8');
  const { method, url = '', headers } = request;
  process.send?.({ received: { method, path: url, headers, body } });
  const [, group, name = ''] = url.split('/');
  if (group === 'signed') {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
    } catch {
      return json(response, 401, { error: 'signature' });
    }
  }
  const answer = group === 'signed' ? answers[name] : answers['echo'];
  if (answer === undefined) return json(response, 404, {});
  answer(request, response);
}

const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
// After everything that was sent before it.
process.on('message', () => process.send?.({ synced: true }));
process.on('disconnect', () => process.exit(0));
