import type { WebSocket } from 'ws';
import { audioChunkEveryMs, audioChunkMs, firstAudioMs } from './delays.mts';
import { Figures } from './percentiles.mts';

/** How late the first audio of a sentence is sent, in ms. */
export const voiceLateness = new Figures();

interface Request {
  readonly context: string;
  readonly text?: string;
  readonly cancel?: boolean;
}

const chunkBytes = audioChunkMs * 8;

/** A streaming voice: receives sentences, each with a context that can be canceled, and sends their audio in chunks. */
export function synthesise(socket: WebSocket, audioOf: ReadonlyMap<string, Buffer>): void {
  const timers = new Map<string, NodeJS.Timeout>();
  socket.on('message', (data) => {
    const { context, text, cancel } = JSON.parse((data as Buffer).toString()) as Request;
    if (cancel === true) {
      clearTimeout(timers.get(context));
      timers.delete(context);
    } else stream(context, audioOf.get(text ?? '') ?? Buffer.alloc(0));
  });
  socket.on('close', () => {
    for (const timer of timers.values()) clearTimeout(timer);
  });
  socket.on('error', () => socket.terminate());

  function stream(context: string, audio: Buffer): void {
    const begun = performance.now();
    let sent = 0;
    const dueAt = () => begun + firstAudioMs + (sent / chunkBytes) * audioChunkEveryMs;
    const send = () => {
      if (sent === 0) voiceLateness.add(performance.now() - dueAt());
      const piece = audio.subarray(sent, sent + chunkBytes);
      sent += chunkBytes;
      const done = sent >= audio.length;
      socket.send(JSON.stringify({ context, audio: piece.toString('base64'), done }));
      if (done) timers.delete(context);
      else arm();
    };
    const arm = () => timers.set(context, setTimeout(send, Math.max(0, dueAt() - performance.now())));
    arm();
  }
}
