import { bySettings } from '../delivery';
import { perHour, perMillionCharacters } from '../pricing';
import type { ProviderEntry } from '../provider';
import { inventory } from './inventory';
import { list } from '../languages';

export const elevenMultilingualV2 = list(
  'en ja zh de hi fr ko pt it es id nl tr fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru',
);

export const elevenFlashV25: readonly string[] = [...elevenMultilingualV2, 'hu', 'no', 'vi'];

export const elevenScribe = list(
  'af am ar hy as az be bn bs bg my zh hr cs da nl en et fil fi fr gl ka de el gu ha he hi hu is id it ja jv kn kk ko lv lt mk ms ml mt mr mn ne no fa pl pt pa ro ru sr sk sl es sw sv ta te th tr uk ur uz vi cy zu',
);

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
