import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

export interface Channel {
  readonly id: string;
  readonly endpoint: string;
  readonly name: string;
  state: 'Ring' | 'Up';
  /** The context of the dialplan that the channel is in. */
  context: string;
  readonly variables: Record<string, string>;
}

/** What telephony learns of an INVITE. */
export interface Invite {
  /** Address and port that it came from. */
  readonly peer?: string;
  /** The user parts of the request's address and of From. */
  readonly to: string;
  readonly from?: string;
  /** Call-ID, tag of From and CSeq. */
  readonly request?: string;
  /** P-Asserted-Identity and Privacy. */
  readonly asserted?: string;
  readonly privacy?: string;
}

/** A fake of the part of Asterisk's REST interface and events that telephony uses. chaos/sip uses a real Asterisk. */
export class AsteriskServer {
  readonly channels = new Map<string, Channel>();
  /** The ids of all requested channels, including those refused as duplicates. */
  readonly ordered: string[] = [];
  /** The causes (ITU-T Q.850) with which channels were rejected. */
  readonly rejected = new Map<string, string>();
  readonly violations: string[] = [];
  /** How many of the next hang-ups fail. */
  failing = 0;
  /** The outcome of channels placed to an endpoint that contains this text. Default: they ring. */
  readonly does = new Map<string, 'answers' | 'busy' | 'declines' | 'refused' | 'silent'>();
  private made = 0;
  private socket: WebSocket | undefined;
  private readonly events = new WebSocketServer({ noServer: true });
  private readonly server: Server = createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => {
      this.violations.push(String(error));
      response.destroy();
    });
  });

  async start(): Promise<void> {
    this.server.on('upgrade', (request, socket, head) =>
      this.events.handleUpgrade(request, socket, head, (opened) => (this.socket = opened)),
    );
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/ari`;
  }

  get isHeard(): boolean {
    return this.socket !== undefined;
  }

  async stop(): Promise<void> {
    for (const client of this.events.clients) client.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Answers a channel, which starts its dialplan. */
  answer(id: string): void {
    const channel = this.of(id);
    channel.state = 'Up';
    this.say('ChannelStateChange', channel);
    if (channel.context === 'parley-leg') this.ask(id, 'leg');
  }

  /** An INVITE arrives, and the dialplan passes it to the application (parley-in). */
  ring(id: string, invite: Invite): void {
    const { peer = '10.1.0.1:5060', to, request = '', from = '', asserted = '', privacy = '' } = invite;
    const name = `PJSIP/parley-in-${String((this.made += 1)).padStart(8, '0')}`;
    this.channels.set(id, { id, endpoint: '', name, state: 'Ring', context: 'parley-in', variables: {} });
    this.ask(id, 'incoming', peer, ...[to, request, from, asserted, privacy].map(encodeURIComponent));
  }

  /** The dialplan passes the channel to the application. */
  ask(id: string, ...args: string[]): void {
    this.say('StasisStart', this.of(id), { args });
  }

  press(id: string, digit: string): void {
    this.say('ChannelDtmfReceived', this.of(id), { digit });
  }

  /** The other party puts the channel on hold, or takes it back. */
  hold(id: string, held: boolean): void {
    this.say(held ? 'ChannelHold' : 'ChannelUnhold', this.of(id));
  }

  hangUp(id: string, { cause = 16, sipCode = 0 } = {}): void {
    const channel = this.of(id);
    this.channels.delete(id);
    this.say('ChannelDestroyed', channel, { cause, tech_cause: sipCode });
  }

  private of(id: string): Channel {
    const channel = this.channels.get(id);
    if (channel === undefined) throw new Error(`there is no channel ${id}`);
    return channel;
  }

  private say(type: string, { id, name, state }: Channel, more: object = {}): void {
    this.socket?.send(JSON.stringify({ type, channel: { id, name, state }, ...more }));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://asterisk');
    const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
    const [, , what = '', id = '', verb = ''] = pathname.split('/').map(decodeURIComponent);
    const answer = (status: number, json: object = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (what === 'asterisk' || what === 'applications') return answer(200);
    if (what !== 'channels') return answer(404);
    if (id === '') return request.method === 'GET' ? answer(200, []) : this.place(searchParams, body, answer);
    const channel = this.channels.get(id);
    if (channel === undefined) return answer(404);
    if (request.method === 'GET') return answer(200, channel);
    if (request.method === 'DELETE' && this.failing > 0) {
      this.failing -= 1;
      return answer(503);
    }
    if (request.method === 'DELETE') {
      const cause = searchParams.get('reason_code');
      if (cause !== null) this.rejected.set(id, cause);
      answer(204);
      return this.hangUp(id);
    }
    if (verb === 'variable') channel.variables[searchParams.get('variable') ?? ''] = searchParams.get('value') ?? '';
    else if (verb === 'continue') channel.context = searchParams.get('context') ?? '';
    return answer(204);
  }

  private place(
    query: URLSearchParams,
    body: Record<string, unknown>,
    answer: (status: number, json?: object) => void,
  ) {
    const endpoint = query.get('endpoint') ?? '';
    const variables = (body['variables'] ?? {}) as Record<string, string>;
    if (endpoint.startsWith('Local/again@')) {
      answer(200);
      return this.ask(variables['PARLEY_TARGET'] ?? '', 'next');
    }
    const id = query.get('channelId') ?? '';
    this.ordered.push(id);
    const does = [...this.does].find(([part]) => endpoint.includes(part))?.[1];
    if (does === 'refused') return answer(400);
    if (this.channels.has(id)) return answer(409);
    const name = `PJSIP/peer-${String((this.made += 1)).padStart(8, '0')}`;
    const channel: Channel = { id, endpoint, name, state: 'Ring', context: query.get('context') ?? '', variables };
    this.channels.set(id, channel);
    if (does !== 'silent') answer(200, channel);
    if (does === 'answers') this.answer(id);
    if (does === 'busy') this.hangUp(id, { cause: 17, sipCode: 486 });
    if (does === 'declines') this.hangUp(id, { cause: 21, sipCode: 603 });
  }
}
