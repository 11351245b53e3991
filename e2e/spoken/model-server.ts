import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

interface Message {
  readonly role: string;
  readonly content: string | null;
}

const sampleRate = 24_000;
const msPerCharacter = 45;

/** The model's response: text, or a tool call. */
export type Answering = (
  said: string,
  results: readonly string[],
) => string | { readonly tool: string; readonly arguments: Json };

/**
 * A server for all three components with OpenAI's protocol: streamed chat completions with tools, `/audio/speech` that returns samples, and
 * `/audio/transcriptions` of segments. Recognizes the text in `hears`, once.
 */
export class ModelServer {
  /** The text of the next segment with audio. */
  hears = '';
  readonly spoken: string[] = [];
  readonly keys = new Set<string>();
  private readonly server: Server;

  private constructor(private readonly answering: Answering) {
    this.server = createServer((request, response) => {
      this.serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(answering: Answering): Promise<ModelServer> {
    const server = new ModelServer(answering);
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    this.keys.add(request.headers.authorization ?? '');
    switch (request.url) {
      case '/v1/audio/transcriptions':
        return this.transcribe(response);
      case '/v1/audio/speech':
        return this.speak(JSON.parse(body.toString()) as Json, response);
      case '/v1/chat/completions':
        return this.chat(JSON.parse(body.toString()) as Json, response);
      default:
        response.writeHead(404).end();
    }
  }

  private transcribe(response: ServerResponse): void {
    const text = this.hears;
    this.hears = '';
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }));
  }

  /** A hum with the duration of the text. */
  private speak({ input }: Json, response: ServerResponse): void {
    const text = String(input);
    this.spoken.push(text);
    const samples = Int16Array.from({ length: (text.length * msPerCharacter * sampleRate) / 1000 }, (_, n) =>
      Math.round(6_000 * Math.sin((2 * Math.PI * 220 * n) / sampleRate)),
    );
    response.writeHead(200, { 'content-type': 'audio/pcm' }).end(Buffer.from(samples.buffer));
  }

  private chat({ messages, model }: Json, response: ServerResponse): void {
    const all = messages as readonly Message[];
    const user = all.findLastIndex(({ role }) => role === 'user');
    const results = all.slice(user + 1).flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
    const answer = this.answering(all[user]?.content ?? '', results);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (delta: Json, finishReason: string | null): void => {
      const choices = [{ index: 0, delta, finish_reason: finishReason }];
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices })}\n\n`,
      );
    };
    if (typeof answer === 'string') {
      for (const content of answer.match(/\S+\s*/g) ?? []) event({ content }, null);
      event({}, 'stop');
    } else {
      const { tool: name, arguments: given } = answer;
      event(
        {
          tool_calls: [
            { index: 0, id: 'call_0', type: 'function', function: { name, arguments: JSON.stringify(given) } },
          ],
        },
        null,
      );
      event({}, 'tool_calls');
    }
    response.end('data: [DONE]\n\n');
  }
}
