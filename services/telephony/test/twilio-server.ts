import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TwilioRequest {
  readonly path: string;
  readonly authorization: string;
  readonly form: URLSearchParams;
}

/** The response to a request to send; `cut` closes the connection without a response. */
export type TwilioAnswer =
  'cut' | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

/** A local server that implements the protocol of Twilio's Programmable Messaging; not Twilio itself. */
export class LocalTwilioProtocolServer {
  readonly requests: TwilioRequest[] = [];
  /** Outcomes by recipient number; messages to any other number are accepted. */
  readonly answers = new Map<string, TwilioAnswer | Promise<TwilioAnswer>>();
  /** The list of an account's numbers, by the requested number, after `<account> ` if only that account has it. */
  readonly numbers = new Map<string, TwilioAnswer>();
  readonly lookups: { readonly number: string; readonly path: string; readonly authorization: string }[] = [];
  private count = 0;
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  to(number: string): TwilioRequest[] {
    return this.requests.filter(({ form }) => form.get('To') === number);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'GET') {
      this.loadAdmissionSnapshot(request, response);
      return;
    }
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    this.requests.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '', form });
    this.count += 1;
    const sid = `SM${String(this.count).padStart(32, '0')}`;
    const answer = (await this.answers.get(form.get('To') ?? '')) ?? { status: 201, body: { sid, status: 'queued' } };
    reply(response, answer);
  }

  private loadAdmissionSnapshot({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const [path = '', query] = url.split('?');
    const number = new URLSearchParams(query).get('PhoneNumber') ?? '';
    this.lookups.push({ number, path, authorization: headers.authorization ?? '' });
    const known = this.numbers.get(`${path.split('/')[3]} ${number}`) ?? this.numbers.get(number);
    reply(response, known ?? { status: 200, body: { incoming_phone_numbers: [] } });
  }
}

function reply(response: ServerResponse, answer: TwilioAnswer): void {
  if (answer === 'cut') {
    response.destroy();
    return;
  }
  response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.body));
}
