import type { RawData, WebSocket } from 'ws';
import { ProviderServer, type Answering } from './provider-server';

type Json = Record<string, unknown>;

/** Audio of at least half a second is recognized as words. */
const wordsAfterSeconds = 0.5;

/** The recognized words of an utterance and their language. */
export interface Recognised {
  readonly words: string;
  readonly language: string;
}

/** Live recognition: Nova at /v1/listen, Flux at /v2/listen. Whatever is said is "hello there", unless Nova is given what it hears. */
export const deepgramServer = (
  heard: () => Recognised = () => ({ words: 'hello there', language: 'en' }),
): ProviderServer =>
  new ProviderServer({
    auth: { header: 'authorization', prefix: 'Token ' },
    websocket(answering, socket) {
      const { url, reportViolation } = answering;
      const rate = Number(url.searchParams.get('sample_rate'));
      if (url.searchParams.get('encoding') !== 'linear16') reportViolation('takes linear16');
      if (![8_000, 16_000].includes(rate)) reportViolation('needs a sample rate');
      if (url.pathname === '/v1/listen') return nova(answering, socket, rate, heard);
      if (url.pathname === '/v2/listen') return flux(answering, socket, rate);
      socket.close(1008);
    },
  });

/** Simulates a mid-stream fault. Returns whether the server must stop responding. */
function midway({ fault }: Answering, socket: WebSocket): boolean {
  if (fault === 'socket_closed') socket.terminate();
  if (fault === 'garbage') socket.send('{"type": "Res');
  return fault === 'socket_closed' || fault === 'garbage' || fault === 'stall_midway';
}

function listen(
  { reportViolation }: Answering,
  socket: WebSocket,
  heard: { sound(bytes: number, isLoud: boolean): void; control(message: Json): void },
): void {
  socket.on('message', (data: RawData, isBinary) => {
    const bytes = data as Buffer;
    if (isBinary) {
      if (bytes.length === 0 || bytes.length % 2 !== 0) reportViolation('takes whole samples');
      return heard.sound(bytes.length, isLoud(bytes));
    }
    heard.control(JSON.parse(bytes.toString()) as Json);
  });
}

function isLoud(samples: Buffer): boolean {
  for (let at = 0; at + 1 < samples.length; at += 2) if (Math.abs(samples.readInt16LE(at)) > 200) return true;
  return false;
}

function nova(answering: Answering, socket: WebSocket, rate: number, heard: () => Recognised): void {
  const { url, reportViolation } = answering;
  if (url.searchParams.get('interim_results') !== 'true') reportViolation('is asked for partial results');
  let seconds = 0;
  let since = 0;
  /** Bytes of audio in the segment that are not silence. */
  let voiced = 0;
  let interim = false;
  let dead = false;
  const results = (transcript: string, final: boolean, asked: boolean): void => {
    if (dead) return;
    const { language } = heard();
    const channel = { alternatives: [{ transcript, confidence: 0.9, words: [], languages: [language] }] };
    const times = { start: since, duration: seconds - since };
    socket.send(
      JSON.stringify({
        type: 'Results',
        channel,
        is_final: final,
        from_finalize: asked,
        speech_final: false,
        ...times,
      }),
    );
  };
  listen(answering, socket, {
    sound(bytes, isVoiced) {
      seconds += bytes / 2 / rate;
      if (isVoiced) voiced += bytes / 2 / rate;
      if (interim || voiced < wordsAfterSeconds) return;
      interim = true;
      results(heard().words.split(' ', 1)[0] ?? '', false, false);
      dead ||= midway(answering, socket);
    },
    control({ type }) {
      if (!['Finalize', 'CloseStream', 'KeepAlive'].includes(String(type)))
        reportViolation(`has no message ${String(type)}`);
      if (type === 'Finalize') {
        results(voiced >= wordsAfterSeconds ? heard().words : '', true, true);
        since = seconds;
        voiced = 0;
        interim = false;
      }
      if (type === 'CloseStream') socket.close(1000);
    },
  });
}

function flux(answering: Answering, socket: WebSocket, rate: number): void {
  const { reportViolation } = answering;
  let seconds = 0;
  let since = 0;
  let turn = 0;
  let last = '';
  let dead = false;
  const info = (event: string, transcript: string, confidence: number): void => {
    if (dead) return;
    last = event;
    const words = transcript === '' ? [] : [{ word: 'hello', start: since + 0.1, end: since + 0.4 }];
    socket.send(
      JSON.stringify({
        type: 'TurnInfo',
        event,
        turn_index: turn,
        transcript,
        words,
        end_of_turn_confidence: confidence,
      }),
    );
  };
  socket.send(JSON.stringify({ type: 'Connected', request_id: 'r', sequence_id: 0 }));
  listen(answering, socket, {
    sound(bytes) {
      seconds += bytes / 2 / rate;
      const spoken = seconds - since;
      if (last === '' && spoken >= wordsAfterSeconds) {
        info('StartOfTurn', 'hello', 0.1);
        dead ||= midway(answering, socket);
      } else if (last === 'StartOfTurn' && spoken >= 0.9) info('EagerEndOfTurn', 'hello there', 0.6);
    },
    control({ type }) {
      if (!['ForceEndTurn', 'CloseStream', 'Configure'].includes(String(type)))
        reportViolation(`has no message ${String(type)}`);
      if (type === 'ForceEndTurn' && last !== '') {
        info('EndOfTurn', 'hello there', 0.8);
        since = seconds;
        turn += 1;
        last = '';
      }
      if (type === 'CloseStream') socket.close(1000);
    },
  });
}
