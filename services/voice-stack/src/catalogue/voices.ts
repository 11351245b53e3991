import type { Provider, VoiceModel } from '@parley/compilation';
import { instructionProfiles, speedProfiles, voiceSettingsProfiles } from './delivery';
import {
  azureSpeech,
  cartesiaSonic2,
  cartesiaSonic3,
  deepgramAura2,
  elevenFlashV25,
  elevenMultilingualV2,
  englishOnly,
  googleChirp3Hd,
  openaiSpeech,
  simulatorEuropean,
  simulatorLanguages,
} from './languages';
import { perMillionCharacters, perMinute, simulatorMicros } from './pricing';

type Entry = Omit<VoiceModel, 'delivery_control' | 'delivery_profiles' | 'default_voice_id'> & {
  default_voice_id?: string;
};

const bySpeed = (entry: Entry): VoiceModel => ({
  default_voice_id: null,
  ...entry,
  delivery_control: 'speed',
  delivery_profiles: speedProfiles,
});
const bySettings = (entry: Entry): VoiceModel => ({
  default_voice_id: null,
  ...entry,
  delivery_control: 'voice_settings',
  delivery_profiles: voiceSettingsProfiles,
});
const byInstruction = (entry: Entry): VoiceModel => ({
  default_voice_id: null,
  ...entry,
  delivery_control: 'instruction',
  delivery_profiles: instructionProfiles,
});
const fixed = (entry: Entry): VoiceModel => ({
  default_voice_id: null,
  ...entry,
  delivery_control: 'unsupported',
  delivery_profiles: {},
});

/**
 * Speech synthesis. Prices are pay-as-you-go list prices, held against what the providers published in 2026; of Deepgram Aura
 * it is an estimate. Latencies are the providers' own figures for ElevenLabs Flash and Turbo and for Cartesia; all others are
 * estimates.
 */
export const voices: readonly Provider<VoiceModel>[] = [
  {
    provider: 'simulator',
    label: 'Simulator',
    requires_account: false,
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
  {
    provider: 'elevenlabs',
    label: 'ElevenLabs',
    requires_account: true,
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
  {
    provider: 'cartesia',
    label: 'Cartesia',
    requires_account: true,
    models: [
      bySpeed({
        model: 'sonic-3',
        languages: cartesiaSonic3,
        // Priced by the minute of speech: the agent speaks half of the time.
        cost_micros_per_minute: perMinute(0.04 / 2),
        latency_ms: 90,
        estimated: ['cost_micros_per_minute'],
      }),
      // The speed control is of the third generation.
      fixed({
        model: 'sonic-2',
        languages: cartesiaSonic2,
        cost_micros_per_minute: perMinute(0.04 / 2),
        latency_ms: 90,
        estimated: ['cost_micros_per_minute'],
      }),
    ],
  },
  {
    provider: 'openai',
    label: 'OpenAI',
    requires_account: true,
    models: [
      byInstruction({
        model: 'gpt-4o-mini-tts',
        languages: openaiSpeech,
        cost_micros_per_minute: perMinute(0.015 / 2),
        latency_ms: 350,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
      bySpeed({
        model: 'tts-1',
        languages: openaiSpeech,
        cost_micros_per_minute: perMillionCharacters(15),
        latency_ms: 400,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
    ],
  },
  {
    provider: 'deepgram',
    label: 'Deepgram',
    requires_account: true,
    models: [
      fixed({
        model: 'aura-2',
        languages: deepgramAura2,
        cost_micros_per_minute: perMillionCharacters(30),
        latency_ms: 150,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
    ],
  },
  {
    provider: 'azure',
    label: 'Azure Speech',
    requires_account: true,
    models: [
      bySpeed({
        model: 'neural',
        languages: azureSpeech,
        cost_micros_per_minute: perMillionCharacters(16),
        latency_ms: 200,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
    ],
  },
  {
    provider: 'google',
    label: 'Google Cloud Text-to-Speech',
    requires_account: true,
    models: [
      bySpeed({
        model: 'chirp3-hd',
        languages: googleChirp3Hd,
        cost_micros_per_minute: perMillionCharacters(30),
        latency_ms: 250,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
    ],
  },
];
