import type { CallClock } from '../carriers/carrier';
import { scriptedReply } from '../domain/scripted-reply';
import type { Providers } from './provider';
import { speechOf } from './simulated-speech';

/** How long the simulated components take; milliseconds of call time. */
const latencyMs = { transcriber: 120, model: 400, voice: 150 } as const;

/** Components that need no account and always answer the same. */
export function simulatorProviders(clock: CallClock): Providers {
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
  return {
    transcriber: {
      async transcribe(audio) {
        await pause(latencyMs.transcriber);
        return audio.text;
      },
    },
    model: {
      async reply(request) {
        await pause(latencyMs.model);
        return scriptedReply(request);
      },
    },
    voice: {
      async synthesize(text) {
        await pause(latencyMs.voice);
        return speechOf(text);
      },
    },
  };
}
