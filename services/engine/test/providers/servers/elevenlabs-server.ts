import type { RawData } from 'ws';
import { ProviderServer } from './provider-server';
import { msPerCharacter, voiceOf } from './sound';

type Json = Record<string, unknown>;

/** Speech with streamed text: /v1/text-to-speech/{voice_id}/stream-input. */
export const elevenLabsServer = (): ProviderServer =>
  new ProviderServer({
    auth: { header: 'xi-api-key' },
    websocket({ url, fault, reportViolation }, socket) {
      if (!/^\/v1\/text-to-speech\/[^/]+\/stream-input$/.test(url.pathname)) reportViolation('is at stream-input');
      const rate = Number(/^pcm_(8000|16000)$/.exec(url.searchParams.get('output_format') ?? '')?.[1]);
      if (Number.isNaN(rate)) reportViolation('is asked for raw samples');
      if (url.searchParams.get('model_id') === null) reportViolation('needs a model');
      let messages = 0;
      let dead = false;
      socket.on('message', (data: RawData) => {
        const { text, voice_settings: settings } = JSON.parse((data as Buffer).toString()) as Json;
        if (typeof text !== 'string') return reportViolation('needs text');
        if (messages++ === 0) {
          if (text !== ' ' || typeof settings !== 'object') reportViolation('begins with a space and the settings');
          return;
        }
        if (dead) return;
        if (text === '') return socket.send(JSON.stringify({ audio: null, isFinal: true }));
        if (!text.endsWith(' ')) reportViolation('takes text that ends with a space');
        if (fault === 'garbage') return socket.send(Buffer.from([0, 1, 2]));
        const chars = [...text];
        const sound = voiceOf(text, rate);
        const alignment = {
          chars,
          charStartTimesMs: chars.map((_, n) => n * msPerCharacter),
          charDurationsMs: chars.map(() => msPerCharacter),
        };
        // Within a sample.
        const half = (sound.length >> 1) | 1;
        socket.send(JSON.stringify({ audio: sound.subarray(0, half).toString('base64'), isFinal: null, alignment }));
        socket.send(JSON.stringify({ audio: sound.subarray(half).toString('base64'), isFinal: null }));
        if (fault === 'socket_closed') return socket.terminate();
        if (fault === 'stall_midway') dead = true;
      });
    },
  });
