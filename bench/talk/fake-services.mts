/**
 * A transcriber, a model and a voice in one process, each with the protocol of its provider and a fixed latency: Deepgram's live recognition (the final
 * transcript some time after the last voice, in audio time), chat completions and /audio/speech of OpenAI. Prints {port}; GET /figures returns how much later
 * than intended it responded.
 */
import '../media/with-parent.mts';
import http from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { listening } from '../listening.mts';
import { Figures } from '../media/percentiles.mts';
import { answerTurn, converse, type AudioAgent } from './own-servers.mts';

export interface FakeServiceSettings {
  /** From the last voice to the final transcript. */
  readonly transcriptMs: number;
  /** From the request to the first word. */
  readonly modelMs: number;
  /** From the request to the first audio. */
  readonly voiceMs: number;
}

export interface FakeServiceFigures {
  readonly latenessMs: readonly number[];
}

const { transcriptMs, modelMs, voiceMs } = JSON.parse(process.argv[2] ?? '{}') as FakeServiceSettings;
/** 16-bit samples above this level are speech. */
const speechLevel = 400;
const question = 'when is the next appointment and what does it cost please';
const reply = 'The next one is on Monday at nine. It costs forty dollars.';
const partialEverySeconds = 0.5;
const voiceRate = 24_000;
const msPerCharacter = 45;
const lateness = new Figures();

/** Runs the function after this delay, and records how late it was. */
function after(ms: number, run: () => void): void {
  const due = performance.now() + ms;
  setTimeout(() => {
    lateness.add(Math.max(0, performance.now() - due));
    run();
  }, ms);
}

function transcribe(socket: WebSocket, rate: number): void {
  let samples = 0;
  let spokenSeconds = 0;
  let lastVoice = 0;
  let since = 0;
  let partialAt = partialEverySeconds;
  const results = (text: string, final: boolean): void => {
    const channel = { alternatives: [{ transcript: text, confidence: 0.9, words: [], languages: ['en'] }] };
    const times = { start: since, duration: samples / rate - since };
    socket.send(
      JSON.stringify({
        type: 'Results',
        channel,
        is_final: final,
        from_finalize: false,
        speech_final: final,
        ...times,
      }),
    );
  };
  const said = (share: number): string =>
    question
      .split(' ')
      .slice(0, Math.max(1, Math.round(11 * share)))
      .join(' ');
  socket.on('message', (data, isBinary) => {
    if (!isBinary) {
      const { type } = JSON.parse((data as Buffer).toString()) as { type: string };
      if (type === 'CloseStream') socket.close(1000);
      return;
    }
    const bytes = data as Buffer;
    for (let at = 0; at + 1 < bytes.length; at += 2) {
      samples += 1;
      if (Math.abs(bytes.readInt16LE(at)) <= speechLevel) continue;
      lastVoice = samples / rate;
    }
    const now = samples / rate;
    if (lastVoice > since) spokenSeconds = lastVoice - since;
    if (spokenSeconds === 0) return;
    if (now - lastVoice >= transcriptMs / 1000) {
      results(question, true);
      since = now;
      spokenSeconds = 0;
      partialAt = partialEverySeconds;
    } else if (spokenSeconds >= partialAt) {
      partialAt = spokenSeconds + partialEverySeconds;
      results(said(Math.min(0.8, spokenSeconds / 4)), false);
    }
  });
  socket.on('error', () => socket.terminate());
}

function complete(response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  after(modelMs, () => {
    for (const content of reply.match(/\S+\s*/g) ?? []) response.write(chunk({ content }, null));
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
}

/** A hum with the duration of the text. */
const humOf = (text: string, rate: number): Int16Array =>
  Int16Array.from({ length: (text.length * msPerCharacter * rate) / 1000 }, (_, n) =>
    Math.round(6_000 * Math.sin((2 * Math.PI * 220 * (n + 20)) / rate)),
  );

/** The audio of each text, because computing it would delay the responses to all calls. */
const hums = new Map<string, Buffer>();

function speak(text: string, response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'audio/pcm' });
  const hum = hums.get(text) ?? Buffer.from(humOf(text, voiceRate).buffer);
  hums.set(text, hum);
  after(voiceMs, () => response.end(hum));
}

/** Replaces all three components, with their combined latency. */
const audioAgent: AudioAgent = {
  answerMs: transcriptMs + modelMs + voiceMs,
  speechLevel,
  greeting: humOf('Good morning, how can I help?', 8_000),
  reply: humOf(reply, 8_000),
};

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    if (request.url === '/figures') response.end(JSON.stringify({ latenessMs: lateness.take() }));
    else if (request.url === '/v1/chat/completions') complete(response);
    else if (request.url === '/turn') after(modelMs, () => answerTurn(reply, response));
    else if (request.url === '/v1/audio/speech') speak((JSON.parse(body) as { input: string }).input, response);
    else response.writeHead(404).end();
  });
});
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket, request) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://fake-services');
  if (pathname === '/audio') return converse(socket, audioAgent);
  transcribe(socket, Number(searchParams.get('sample_rate')));
});
process.once('SIGTERM', () => process.exit(0));
listening(server.listen(0, '127.0.0.1'));
