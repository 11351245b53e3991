/**
 * Customers' servers in external modes: one replaces the model, the other everything that recognizes and speaks. They respond after the same times as the
 * simulated providers of a hosted agent.
 */
import type http from 'node:http';
import type { WebSocket } from 'ws';
import { decodeMuLaw, encodeMuLaw } from '../media/mulaw.mts';

const rate = 8_000;

/** Streams the response to a turn. */
export function answerTurn(reply: string, response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const text of reply.match(/\S+\s*/g) ?? [])
    response.write(`event: delta\ndata: ${JSON.stringify({ text })}\n\n`);
  response.end('event: done\ndata: {}\n\n');
}

export interface AudioAgent {
  /** From the last voice to the first audio of the response, in audio time. */
  readonly answerMs: number;
  readonly speechLevel: number;
  readonly greeting: Int16Array;
  readonly reply: Int16Array;
}

/** Speaks first, and answers each question after its end. */
export function converse(socket: WebSocket, { answerMs, speechLevel, greeting, reply }: AudioAgent): void {
  let samples = 0;
  let lastVoice: number | undefined;
  const say = (sound: Int16Array): void =>
    socket.send(JSON.stringify({ event: 'media', media: { payload: encodeMuLaw(sound).toString('base64') } }));
  socket.on('message', (data) => {
    const { event, media } = JSON.parse((data as Buffer).toString()) as { event: string; media?: { payload: string } };
    if (event === 'start') say(greeting);
    if (event !== 'media' || media === undefined) return;
    for (const sample of decodeMuLaw(Buffer.from(media.payload, 'base64'))) {
      samples += 1;
      if (Math.abs(sample) > speechLevel) lastVoice = samples;
    }
    if (lastVoice === undefined || samples - lastVoice < (answerMs * rate) / 1_000) return;
    lastVoice = undefined;
    say(reply);
  });
  socket.on('error', () => socket.terminate());
}
