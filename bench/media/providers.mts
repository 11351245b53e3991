/**
 * Simulates the three providers with the latencies of delays.mts, on one port with TLS and one without: /listen, /speak and /v1/chat/completions. GET /figures
 * returns how late the simulation itself was. Started with a JSON ProvidersSettings.
 */
import './with-parent.mts';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { complete, modelLateness } from './fake-model.mts';
import { synthesise, voiceLateness } from './fake-synthesis.mts';
import { transcribe } from './fake-transcriber.mts';
import type { Voices } from './voices.mts';

export interface ProvidersSettings {
  readonly key: string;
  readonly certificate: string;
  /** The name of a file with Voices. */
  readonly voices: string;
}

export interface ProvidersFigures {
  readonly modelLatenessMs: readonly number[];
  readonly voiceLatenessMs: readonly number[];
}

const settings = JSON.parse(process.argv[2] ?? '{}') as ProvidersSettings;
const { agent } = JSON.parse(readFileSync(settings.voices, 'utf8')) as Voices;
const sentences = [...agent.openers, ...agent.sentences];
const audioOf = new Map(sentences.map(({ text, audio }) => [text, Buffer.from(audio, 'base64')]));
let replies = 0;

function nextReply(): string[] {
  replies += 1;
  const pick = (from: Voices['agent']['openers'], place: number) => from[place % from.length]?.text ?? '';
  return [pick(agent.openers, replies), pick(agent.sentences, replies), pick(agent.sentences, replies + 1)];
}

function route(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'POST') return complete(request, response, nextReply());
  const figures: ProvidersFigures = { modelLatenessMs: modelLateness.take(), voiceLatenessMs: voiceLateness.take() };
  response.end(JSON.stringify(figures));
}

function connect(socket: WebSocket, { url }: IncomingMessage): void {
  if (url === '/speak') synthesise(socket, audioOf);
  else transcribe(socket);
}

const secure = https.createServer({ key: readFileSync(settings.key), cert: readFileSync(settings.certificate) }, route);
const plain = http.createServer(route);
// A connection that is closed while the engine uses it would lose the reply, which is not what this measures.
secure.keepAliveTimeout = 600_000;
for (const server of [secure, plain]) {
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', connect);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}
process.once('SIGTERM', () => process.exit(0));
const portOf = (server: http.Server | https.Server) => (server.address() as AddressInfo).port;
console.log(JSON.stringify({ port: portOf(plain), securePort: portOf(secure) }));
