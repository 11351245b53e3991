import {
  anthropic,
  azure,
  cartesia,
  deepgram,
  elevenlabs,
  type Limits,
  openai,
  openaiCompatible,
  type ProviderAccount,
  type StreamingAdapter,
  type SynthesisOptions,
  type TranscriptionOptions,
} from '@parley/providers';
import { FliteVoice, Pocketsphinx } from '@parley/speech';
import { flite } from '../../src/providers/flite/adapter';
import { pocketsphinx } from '../../src/providers/pocketsphinx/adapter';
import { simulatedAdapter } from '../../src/providers/simulator/streaming';
import { anthropicServer } from './servers/anthropic-server';
import { cartesiaServer } from './servers/cartesia-server';
import { deepgramServer } from './servers/deepgram-server';
import { elevenLabsServer } from './servers/elevenlabs-server';
import { openAiServer } from './servers/openai-server';
import { serverKey, type ProviderServer } from './servers/provider-server';

/** An adapter with a server of its provider's protocol; none for adapters that run offline. */
export interface Subject {
  readonly name: string;
  readonly adapter: StreamingAdapter;
  readonly server?: () => ProviderServer;
  /** Path prefix of the base URL. */
  readonly path?: string;
  readonly model?: string;
}

const overNetwork: readonly Subject[] = [
  { name: 'openai', adapter: openai, server: openAiServer, path: '/v1' },
  { name: 'openai_compatible', adapter: openaiCompatible, server: openAiServer, path: '/v1' },
  { name: 'azure', adapter: azure, server: () => openAiServer({ header: 'api-key', prefix: '' }), path: '/v1' },
  { name: 'anthropic', adapter: anthropic, server: anthropicServer },
  { name: 'deepgram nova', adapter: deepgram, server: deepgramServer, model: 'nova-3' },
  { name: 'deepgram flux', adapter: deepgram, server: deepgramServer, model: 'flux-general-en' },
  { name: 'cartesia', adapter: cartesia, server: cartesiaServer },
  { name: 'elevenlabs', adapter: elevenlabs, server: elevenLabsServer },
];

export const voice = new FliteVoice({ threads: 1, waiting: 16, timeoutMs: 60_000 });

export const subjects: readonly Subject[] = [
  ...overNetwork,
  { name: 'simulator', adapter: simulatedAdapter(() => Promise.resolve()) },
  { name: 'flite', adapter: flite(voice, 'org_of_the_test') },
  ...(Pocketsphinx.isAvailable() ? [{ name: 'pocketsphinx', adapter: pocketsphinx() }] : []),
];

export const having = <Part extends 'transcriber' | 'model' | 'synthesizer'>(part: Part) =>
  subjects.filter(({ adapter }) => adapter[part] !== undefined);

export const accountOf = (
  { path = '' }: Subject,
  server: ProviderServer | undefined,
  limits: Partial<Limits> = {},
): ProviderAccount => ({
  apiKey: server === undefined ? undefined : serverKey,
  ...(server !== undefined && { baseUrl: `${server.url}${path}` }),
  limits,
});

export const transcription = (rest: Partial<TranscriptionOptions> = {}): TranscriptionOptions => ({
  model: undefined,
  language: 'en-US',
  alternatives: [],
  sampleRate: 16_000,
  phrases: [],
  options: { script: ['hello there', 'hello there'] },
  ...rest,
});

export const synthesis = (rest: Partial<SynthesisOptions> = {}): SynthesisOptions => ({
  model: undefined,
  voiceId: 'voice-1',
  language: 'en-US',
  sampleRate: 16_000,
  delivery: {},
  options: {},
  ...rest,
});
