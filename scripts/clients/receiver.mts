import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhooks } from '../../clients/typescript/dist/index.js';

export interface Receiver {
  readonly url: string;
  readonly secret: string;
  /** The types of the verified events in the order of arrival. */
  readonly received: string[];
  close(): void;
}

/** A webhook receiver that verifies signatures. */
export async function receiver(): Promise<Receiver> {
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const received: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      webhooks.unwrap(Buffer.concat(chunks), request.headers, secret).then(
        ({ type }) => {
          received.push(type);
          response.writeHead(204).end();
        },
        () => response.writeHead(400).end(),
      );
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, secret, received, close: () => server.close() };
}
