import type { Provider, TranscriberModel } from '@parley/compilation';
import {
  assemblyMultilingual,
  azureSpeech,
  deepgramNova3,
  elevenScribe,
  englishOnly,
  googleChirp,
  openaiSpeech,
  simulatorLanguages,
} from './languages';
import { perHour, perMinute, simulatorMicros } from './pricing';

/**
 * Speech to text. A published language list holds 32 at most (section 2.5), so no candidate limit is larger. Prices are
 * pay-as-you-go list prices, held against what the providers published in 2026, for streaming in several languages where that
 * is priced apart; of Deepgram Flux, OpenAI and ElevenLabs they are estimates. AssemblyAI states its latency; all others are
 * estimates, and so is the candidate limit of Google.
 */
export const transcribers: readonly Provider<TranscriberModel>[] = [
  {
    provider: 'simulator',
    label: 'Simulator',
    requires_account: false,
    models: [
      {
        model: 'sim-listen-40',
        languages: simulatorLanguages,
        cost_micros_per_minute: simulatorMicros,
        latency_ms: 120,
        estimated: ['latency_ms'],
        fast_words: true,
        candidate_limit: 32,
      },
      {
        model: 'sim-listen-en',
        languages: englishOnly,
        cost_micros_per_minute: simulatorMicros,
        latency_ms: 100,
        estimated: ['latency_ms'],
        fast_words: true,
        candidate_limit: 1,
      },
    ],
  },
  {
    provider: 'deepgram',
    label: 'Deepgram',
    requires_account: true,
    models: [
      {
        model: 'nova-3',
        languages: deepgramNova3,
        cost_micros_per_minute: perMinute(0.0058),
        latency_ms: 300,
        estimated: ['latency_ms'],
        fast_words: true,
        candidate_limit: 32,
      },
      {
        model: 'flux-general-en',
        languages: englishOnly,
        cost_micros_per_minute: perMinute(0.0077),
        latency_ms: 260,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
        fast_words: true,
        candidate_limit: 1,
      },
    ],
  },
  {
    provider: 'assemblyai',
    label: 'AssemblyAI',
    requires_account: true,
    models: [
      {
        model: 'universal-streaming',
        languages: englishOnly,
        cost_micros_per_minute: perHour(0.15),
        latency_ms: 300,
        estimated: [],
        fast_words: true,
        candidate_limit: 1,
      },
      {
        model: 'universal-streaming-multilingual',
        languages: assemblyMultilingual,
        cost_micros_per_minute: perHour(0.15),
        latency_ms: 300,
        estimated: [],
        fast_words: true,
        candidate_limit: 6,
      },
    ],
  },
  {
    provider: 'openai',
    label: 'OpenAI',
    requires_account: true,
    models: [
      {
        model: 'gpt-4o-transcribe',
        languages: openaiSpeech,
        cost_micros_per_minute: perMinute(0.006),
        latency_ms: 500,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
        fast_words: false,
        candidate_limit: 32,
      },
      {
        model: 'gpt-4o-mini-transcribe',
        languages: openaiSpeech,
        cost_micros_per_minute: perMinute(0.003),
        latency_ms: 450,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
        fast_words: false,
        candidate_limit: 32,
      },
    ],
  },
  {
    provider: 'elevenlabs',
    label: 'ElevenLabs',
    requires_account: true,
    models: [
      {
        model: 'scribe_v2_realtime',
        languages: elevenScribe,
        cost_micros_per_minute: perHour(0.28),
        latency_ms: 150,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
        fast_words: true,
        candidate_limit: 32,
      },
    ],
  },
  {
    provider: 'azure',
    label: 'Azure Speech',
    requires_account: true,
    models: [
      // Continuous language identification takes ten candidates at most, one locale for each language.
      {
        model: 'realtime',
        languages: azureSpeech,
        cost_micros_per_minute: perHour(1),
        latency_ms: 350,
        estimated: ['latency_ms'],
        fast_words: true,
        candidate_limit: 10,
      },
    ],
  },
  {
    provider: 'google',
    label: 'Google Cloud Speech',
    requires_account: true,
    models: [
      {
        model: 'chirp_3',
        languages: googleChirp,
        cost_micros_per_minute: perMinute(0.016),
        latency_ms: 400,
        estimated: ['latency_ms', 'candidate_limit'],
        fast_words: false,
        candidate_limit: 3,
      },
    ],
  },
];
