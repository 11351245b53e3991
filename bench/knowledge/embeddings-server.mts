import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomNumbers } from './texts.mts';
import { vectorOf } from './vectors.mts';

/** A server with OpenAI's protocol for embeddings on this machine. The same text always has the same vector, without a meaning. */
export async function startEmbeddings(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => {
        const { input } = JSON.parse(body) as { input: readonly string[] };
        const data = input.map((text, index) => ({ index, embedding: embeddingOf(text) }));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ data, usage: { total_tokens: input.length } }));
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Six digits are as many as models answer with, roughly. */
const embeddingOf = (text: string): number[] => {
  const seed = (createHash('sha256').update(text).digest().readUInt32BE() % 2_147_483_646) + 1;
  return vectorOf(randomNumbers(seed)).map((value) => Math.round(value * 1e6) / 1e6);
};
