import type { CallClock } from '../../carriers/carrier';
import { scriptedReply } from '../../domain/scripted-reply';
import type { ProviderAdapter } from '../provider';
import { speechOf } from './simulated-speech';

/** How long the simulated components take; milliseconds of call time. */
const latencyMs = { transcriber: 120, model: 400, voice: 150 } as const;

const pause = (clock: CallClock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

/** Components that need no account and always reply the same. */
export const simulator: ProviderAdapter = {
  name: 'simulator',
  transcriber: (clock) => ({
    async transcribe(audio) {
      await pause(clock, latencyMs.transcriber);
      return audio.text;
    },
  }),
  model: (clock) => ({
    async reply(request) {
      await pause(clock, latencyMs.model);
      return scriptedReply(request);
    },
  }),
  voice: (clock) => ({
    async synthesize(text) {
      await pause(clock, latencyMs.voice);
      return speechOf(text);
    },
  }),
};
