import type { WebSocket } from 'ws';
import { finalTranscriptMs } from './delays.mts';
import { isLoud } from './voice-activity.mts';

/** 16-bit samples above this level are speech. The noise of lines is below it. */
const speechLevel = 400;
const partialEveryMs = 300;
const words = 'could you tell me when the next appointment would be free and what it costs please'.split(' ');

/**
 * A streaming transcriber: receives audio as binary messages, sends partial transcripts during speech, and a final one after a fixed time of silence in the
 * audio. It detects only the duration of speech; the words are always the same.
 */
export function transcribe(socket: WebSocket): void {
  let spokenMs = 0;
  let quietMs = 0;
  let partialAtMs = partialEveryMs;
  const text = () => words.slice(0, Math.max(1, Math.ceil(spokenMs / 300))).join(' ');
  const say = (type: 'partial' | 'final') => socket.send(JSON.stringify({ type, text: text() }));
  socket.on('message', (data) => {
    const audio = data as Buffer;
    const ms = audio.length / 8;
    if (isLoud(audio, speechLevel)) {
      spokenMs += ms + quietMs;
      quietMs = 0;
      if (spokenMs < partialAtMs) return;
      partialAtMs = spokenMs + partialEveryMs;
      say('partial');
      return;
    }
    if (spokenMs === 0) return;
    quietMs += ms;
    if (quietMs < finalTranscriptMs) return;
    say('final');
    spokenMs = quietMs = 0;
    partialAtMs = partialEveryMs;
  });
  socket.on('error', () => socket.terminate());
}
