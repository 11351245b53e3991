/** Calls over SIP whose agents are conducted by the customer's own server: by text of each turn, or by the audio of the whole call. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { encodeMuLaw } from '../../bench/media/mulaw.mts';
import { freeUdpPort } from '../../scripts/asterisk/ports.mts';
import { request } from '../telephony.mts';
import { converse, judged, type Heard } from './conversation.mts';
import { hum } from './models.mts';
import { codeSamples } from './tones.mts';
import { addNumber, prepareAgent, type SipWorld } from './world.mts';

const modes = ['external_text', 'external_audio'] as const;
type Mode = (typeof modes)[number];
const codecs = ['g711', 'g722'] as const;
/** The sample rate of the audio that the server sends. */
const rate = 8_000;

/** The customer's server. Both of its interfaces repeat the code that the caller pressed. */
class OwnServer {
  /** How many requests and connections each interface received. */
  readonly received: Record<Mode, number> = { external_text: 0, external_audio: 0 };
  private readonly server = createServer((request, response) => {
    this.answerTurn(request, response).catch(() => response.destroy());
  });
  private readonly sockets = new WebSocketServer({ server: this.server });

  async start(): Promise<string> {
    this.sockets.on('connection', (socket) => this.converse(socket));
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answerTurn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string };
    this.received.external_text += 1;
    const [code] = /\d{4}/.exec(text) ?? [];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ text: code === undefined ? 'Pardon?' : `Your code is ${code}.` }));
  }

  private converse(socket: WebSocket): void {
    this.received.external_audio += 1;
    let keys = '';
    const say = (samples: Int16Array): void =>
      socket.send(JSON.stringify({ event: 'media', media: { payload: encodeMuLaw(samples).toString('base64') } }));
    socket.on('message', (data) => {
      const { event, dtmf } = JSON.parse((data as Buffer).toString()) as { event: string; dtmf?: { digit: string } };
      if (event === 'start') say(hum(rate));
      if (event !== 'dtmf' || dtmf === undefined) return;
      keys += dtmf.digit;
      if (!keys.endsWith('#')) return;
      say(codeSamples(keys.slice(0, -1), rate));
      keys = '';
    });
    socket.on('error', () => socket.terminate());
  }
}

/** Two calls in each mode, one with each codec. */
export async function externalModes(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  const { platform, modelsUrl } = world;
  const server = new OwnServer();
  const address = await server.start();
  try {
    const lines: { mode: Mode; calls: Heard[] }[] = [];
    for (const [nth, mode] of modes.entries()) {
      const [agentId, port, number] = [
        await prepareAgent(platform, modelsUrl),
        await freeUdpPort(),
        `+1415555011${nth}`,
      ];
      const addresses = { webhook_url: `http://${address}/turn`, audio_stream_url: `ws://${address}/audio` };
      await request(platform, 'PATCH', `/v1/agents/${agentId}`, { mode, ...addresses });
      await addNumber(platform, { number, port, agentId });
      const first = 700 + nth * codecs.length;
      const calls = codecs.map((codec, place) => converse({ ...world, number }, first + place, codec));
      lines.push({ mode, calls: await Promise.all(calls) });
    }
    const rows = lines.map(({ mode, calls }) => ({
      mode,
      calls: calls.length,
      'heard their own code': calls.filter(({ code, heard }) => code === heard).length,
      'greeting longest ms': Math.round(Math.max(...calls.map(({ greetingMs }) => greetingMs ?? Infinity))),
      'received by the server': server.received[mode],
    }));
    const broken = lines.flatMap(({ mode, calls }) => [
      ...judged(calls).map((one) => `${mode}: ${one}`),
      ...(server.received[mode] === calls.length
        ? []
        : [`${mode}: the server received ${server.received[mode]}, not one for each of ${calls.length} calls`]),
    ]);
    return { rows, broken };
  } finally {
    server.stop();
  }
}
