import { bySettings, bySpeed, fixed } from '../delivery';
import { englishOnly, list } from '../languages';
import { simulatorMicros } from '../pricing';
import type { ProviderEntry } from '../provider';

/** The 40 languages that the simulator recognizes and speaks. */
export const simulatorLanguages = list(
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv th tr uk vi zh',
);

/** As many of them as one call can follow. */
const simulatorFollowed = list(
  'ar cs da de el en es fi fr he hi hr hu id it ja ko nl no pl pt ro ru sk sl sr sv th tr uk vi zh',
);

/** A small set, for a voice whose languages fit within every limit of candidate languages. */
export const simulatorEuropean = list('de en es fr it nl pl pt ru sv');

export const simulator: ProviderEntry = {
  name: 'simulator',
  requiresAccount: false,
  transcribers: {
    label: 'Simulator',
    models: [
      {
        model: 'sim-listen-40',
        languages: simulatorLanguages,
        cost_micros_per_minute: simulatorMicros,
        latency_ms: 120,
        estimated: ['latency_ms'],
        fast_words: true,
        followed_languages: simulatorFollowed,
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
  models: {
    label: 'Simulator',
    models: [
      {
        model: 'sim-chat',
        languages: null,
        cost_micros_per_minute: simulatorMicros,
        latency_ms: 150,
        estimated: ['latency_ms'],
      },
    ],
  },
  voices: {
    label: 'Simulator',
    models: [
      bySpeed({
        model: 'sim-speak-40',
        languages: simulatorLanguages,
        cost_micros_per_minute: simulatorMicros,
        latency_ms: 80,
        estimated: ['latency_ms'],
        default_voice_id: 'sim-anna',
      }),
      bySettings({
        model: 'sim-speak-european',
        languages: simulatorEuropean,
        cost_micros_per_minute: simulatorMicros,
        latency_ms: 90,
        estimated: ['latency_ms'],
        default_voice_id: 'sim-eva',
      }),
      fixed({
        model: 'sim-speak-en',
        languages: englishOnly,
        cost_micros_per_minute: simulatorMicros,
        latency_ms: 60,
        estimated: ['latency_ms'],
        default_voice_id: 'sim-emma',
      }),
    ],
  },
};
