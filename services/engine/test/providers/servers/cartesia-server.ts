import type { RawData } from 'ws';
import { ProviderServer } from './provider-server';
import { msPerCharacter, voiceOf } from './sound';

type Json = Record<string, unknown>;

/** Speech over a websocket with contexts and the times of words. */
export const cartesiaServer = (): ProviderServer =>
  new ProviderServer({
    auth: { header: 'authorization', prefix: 'Bearer ' },
    websocket({ url, fault, reportViolation }, socket) {
      if (url.pathname !== '/tts/websocket') reportViolation('is at /tts/websocket');
      if (!/^\d{4}-\d{2}-\d{2}$/.test(url.searchParams.get('cartesia_version') ?? ''))
        reportViolation('needs a version');
      let first: string | undefined;
      let seconds = 0;
      let dead = false;
      socket.on('message', (data: RawData) => {
        const { transcript, continue: more, cancel, ...rest } = JSON.parse((data as Buffer).toString()) as Json;
        const context_id = rest.context_id;
        if (cancel === true || dead) return;
        const { container, encoding, sample_rate: rate } = rest.output_format as Json;
        if (container !== 'raw' || encoding !== 'pcm_s16le') reportViolation('is asked for raw samples');
        if (typeof rest.model_id !== 'string' || typeof (rest.voice as Json).id !== 'string')
          reportViolation('needs a voice');
        first ??= JSON.stringify(rest);
        if (JSON.stringify(rest) !== first) reportViolation('takes the same settings within a context');
        const send = (message: Json): void => socket.send(JSON.stringify({ status_code: 206, ...message, context_id }));
        const text = String(transcript);
        if (first === JSON.stringify(rest) && seconds === 0 && text !== '' && !/[\p{L}\p{N}]/u.test(text))
          return send({ type: 'error', status_code: 400, done: true, error: 'transcript contains only punctuation' });
        if (text !== '') {
          if (fault === 'garbage') return socket.send('{"type": "chu');
          const sound = voiceOf(text, rate as number, 'hums');
          // Within a sample.
          const half = (sound.length >> 1) | 1;
          send({ type: 'chunk', data: sound.subarray(0, half).toString('base64'), done: false });
          if (fault === 'socket_closed') return socket.terminate();
          if (fault === 'stall_midway') return void (dead = true);
          send({ type: 'chunk', data: sound.subarray(half).toString('base64'), done: false });
          send({ type: 'timestamps', word_timestamps: wordsOf(text, seconds), done: false });
          seconds += (text.length * msPerCharacter) / 1000;
        }
        if (more !== true) send({ type: 'done', done: true });
      });
    },
  });

function wordsOf(text: string, seconds: number): { words: string[]; start: number[]; end: number[] } {
  const found = [...text.matchAll(/\S+/g)];
  const at = (position: number): number => seconds + (position * msPerCharacter) / 1000;
  return {
    words: found.map(([word]) => word),
    start: found.map(({ index }) => at(index)),
    end: found.map(({ index, 0: word }) => at(index + word.length)),
  };
}
