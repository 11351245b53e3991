import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: readonly {
    readonly function: { readonly name: string; readonly parameters: Record<string, unknown> };
  }[];
  readonly tool_choice: unknown;
  readonly authorization: string | undefined;
}

/** What the server replies with: arguments of the required tool, text in its place, or a status; after so many milliseconds. */
export interface Reply {
  readonly call?: object | string;
  readonly text?: string;
  readonly status?: number;
  readonly afterMs?: number;
}

/** A server of chat completions, streamed, as OpenAI documents them. */
export interface ModelServer {
  readonly url: string;
  readonly asked: Asked[];
  /** The next replies; then the last one again. */
  replies: Reply[];
  stop(): Promise<void>;
}

export async function modelServer(): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = JSON.parse(await textOf(request)) as Asked;
      asked.push({ ...body, authorization: request.headers.authorization });
      const reply = (one.replies.length > 1 ? one.replies.shift() : one.replies[0]) ?? {};
      if (reply.afterMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.afterMs));
      if (reply.status !== undefined) return void response.writeHead(reply.status).end('{}');
      const { call, text = '' } = reply;
      const written = typeof call === 'string' ? call : JSON.stringify(call);
      const name = body.tools[0]?.function.name;
      const delta =
        call === undefined
          ? { content: text }
          : { tool_calls: [{ index: 0, id: 'call_1', function: { name, arguments: written } }] };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (event: object): void => void response.write(`data: ${JSON.stringify(event)}\n\n`);
      send({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }] });
      send({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: call === undefined ? 'stop' : 'tool_calls' }] });
      send({ id: 'c', choices: [], usage: { prompt_tokens: 1_000, completion_tokens: 50 } });
      response.end('data: [DONE]\n\n');
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const one: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    replies: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return one;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
