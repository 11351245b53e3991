import { bySettings } from '../delivery';
import { perHour, perMillionCharacters } from '../pricing';
import type { ProviderEntry } from '../provider';
import { inventory } from './inventory';
import { elevenFlashV25, elevenMultilingualV2, elevenScribe } from './languages';

export const elevenlabs: ProviderEntry = {
  name: 'elevenlabs',
  requiresAccount: true,
  inventory,
  transcribers: {
    label: 'ElevenLabs',
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
  voices: {
    label: 'ElevenLabs',
    models: [
      bySettings({
        model: 'eleven_flash_v2_5',
        languages: elevenFlashV25,
        cost_micros_per_minute: perMillionCharacters(50),
        latency_ms: 75,
        estimated: ['cost_micros_per_minute'],
      }),
      bySettings({
        model: 'eleven_turbo_v2_5',
        languages: elevenFlashV25,
        cost_micros_per_minute: perMillionCharacters(50),
        latency_ms: 300,
        estimated: ['cost_micros_per_minute'],
      }),
      bySettings({
        model: 'eleven_multilingual_v2',
        languages: elevenMultilingualV2,
        cost_micros_per_minute: perMillionCharacters(100),
        latency_ms: 400,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
    ],
  },
};
