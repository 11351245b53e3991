/** The components of the agents, with OpenAI's protocol. Their voice speaks with key tones. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeSamples } from './tones.mts';

const rate = 24_000;
const greetingMs = 600;

interface Message {
  role: string;
  content: unknown;
}

/** Replies to the caller's last words with the code that they contain. */
export class Models {
  /** The reply to the question for opening hours, as a code. */
  readonly opens = '1018';
  /** The last user message of each request to the model. */
  readonly asked: string[] = [];
  /** Recognizes the speech in a segment of audio. */
  hears: (sound: Buffer) => Promise<string> = () => Promise.resolve('');
  private readonly server = createServer((request, response) => {
    this.serve(request, response).catch(() => response.destroy());
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (request.url === '/v1/audio/transcriptions') {
      const text = await this.hears(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }));
    } else if (request.url === '/v1/audio/speech') {
      const { input } = JSON.parse(body.toString()) as { input: string };
      response.writeHead(200, { 'content-type': 'audio/pcm' }).end(Buffer.from(spoken(input).buffer));
    } else if (request.url === '/v1/chat/completions') {
      const { messages } = JSON.parse(body.toString()) as { messages: Message[] };
      this.chat(messages, response);
    } else response.writeHead(404).end();
  }

  private chat(messages: readonly Message[], response: ServerResponse): void {
    const said = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content ?? '');
    this.asked.push(said);
    const [code = ''] = /\d{4}/.exec(said) ?? (said.includes('opening hours') ? [this.opens] : []);
    const content = code === '' ? 'Pardon?' : `Your code is ${code}.`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (delta: object, reason: string | null): void => {
      const chunk = {
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta, finish_reason: reason }],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    event({ role: 'assistant', content }, null);
    event({}, 'stop');
    response.end('data: [DONE]\n\n');
  }
}

/** A code as key tones, any other text as a hum. */
function spoken(text: string): Int16Array {
  const [code] = /\d{4}/.exec(text) ?? [];
  return code === undefined ? hum(rate) : codeSamples(code, rate);
}

export function hum(samplesPerSecond: number): Int16Array {
  return Int16Array.from({ length: (greetingMs * samplesPerSecond) / 1_000 }, (_, n) =>
    Math.round(6_000 * Math.sin((2 * Math.PI * 330 * n) / samplesPerSecond)),
  );
}
