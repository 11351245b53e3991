import type { CallClock } from '../../carriers/carrier';
import { scriptedReply } from '../../domain/scripted-reply';
import type { ProviderAdapter } from '../provider';
import { speechOf } from './simulated-speech';

/** How long the simulated components take; milliseconds of call time. */
const latencyMs = { transcriber: 120, model: 400, voice: 150 } as const;

const pause = (clock: CallClock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const takeBack = clock.after(ms, resolve);
    const stop = (): void => {
      takeBack();
      reject(new Error('the request was aborted'));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

/** Components that need no account and always reply the same. */
export const simulator: ProviderAdapter = {
  name: 'simulator',
  transcriber: (clock) => ({
    async transcribe(audio, _language, signal) {
      await pause(clock, latencyMs.transcriber, signal);
      return audio.text;
    },
  }),
  model: (clock) => ({
    async reply(request, signal) {
      await pause(clock, latencyMs.model, signal);
      return scriptedReply(request);
    },
  }),
  voice: (clock) => ({
    async synthesize(text, _language, signal) {
      await pause(clock, latencyMs.voice, signal);
      return speechOf(text);
    },
  }),
};
