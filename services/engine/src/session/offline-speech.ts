import type { Logger } from '@parley/runtime';
import { FliteVoice, Pocketsphinx } from '@parley/speech';
import { flite } from '../providers/flite/adapter';
import type { StreamingAdapter } from '@parley/providers';
import { pocketsphinx } from '../providers/pocketsphinx/adapter';
import { simulatedAdapter } from '../providers/simulator/streaming';
import type { SpeakingComponent } from './voice-output';

/** The timeout for one sentence; after it the voice is considered failed. */
const synthesisMs = 10_000;

/** Speech in English without any account: Flite and pocketsphinx replace the simulated voice and transcriber. */
export interface OfflineSpeech {
  /** @param owner the organization whose texts are spoken */
  readonly adapterFor: (owner: string) => Pick<StreamingAdapter, 'transcriber' | 'synthesizer'>;
  stop(): Promise<void>;
}

export interface OfflineSpeechOptions {
  /** The maximum number of concurrent calls. */
  readonly calls: number;
  readonly log: Pick<Logger, 'warn'>;
  /** The recognizer. Default: that of Debian. */
  readonly program?: string;
}

/** Without the recognizer, the script of the agent's simulated transcriber replaces what callers say. */
export function createOfflineSpeech({ calls, log, program }: OfflineSpeechOptions): OfflineSpeech {
  const listens = Pocketsphinx.isAvailable(program);
  if (!listens) {
    log.warn(
      'pocketsphinx is not installed (Debian packages pocketsphinx and pocketsphinx-en-us): callers are not understood, and the script of the simulated transcriber replaces what they say',
    );
  }
  const voice = new FliteVoice({ threads: 2, waiting: 2 * calls, timeoutMs: synthesisMs });
  const listener = listens ? pocketsphinx(program === undefined ? {} : { program }) : simulatedAdapter();
  return {
    adapterFor: (owner) => ({
      transcriber: listener.transcriber,
      synthesizer: withUsualVoice(flite(voice, owner).synthesizer),
    }),
    stop: () => voice.stop(),
  };
}

/** Adds the default voice for publications that name none. */
const withUsualVoice =
  (synthesizer: StreamingAdapter['synthesizer']): StreamingAdapter['synthesizer'] =>
  (account) => {
    const voice = synthesizer?.(account);
    if (voice === undefined) throw new Error('the offline voice is not available');
    const usual = (id: SpeakingComponent['own']['voiceId']): string => (id === '' ? 'sim-anna' : id);
    return { ...voice, open: (options, signal) => voice.open({ ...options, voiceId: usual(options.voiceId) }, signal) };
  };
