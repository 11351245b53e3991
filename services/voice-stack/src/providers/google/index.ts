import { bySpeed } from '../delivery';
import { perMillionCharacters, perMillionTokens, perMinute } from '../pricing';
import type { ProviderEntry } from '../provider';
import { list } from '../languages';

export const googleChirp = list(
  'ar bg bn ca cs da de el en es et fa fi fil fr gu he hi hr hu id it ja kn ko lt lv ml mr nb nl pa pl pt ro ru sk sl sr sv sw ta te th tr uk ur vi zh',
);

/** The languages of its voices, which differ from those of its transcriber. */
export const googleChirp3Hd = list(
  'ar bn da nl en fi fr de gu hi id it ja kn ko ml zh mr nb no pl pt ru es sw sv ta te th tr uk ur vi',
);

export const google: ProviderEntry = {
  name: 'google',
  requiresAccount: true,
  transcribers: {
    label: 'Google Cloud Speech',
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
  models: {
    label: 'Google Gemini',
    models: [
      {
        model: 'gemini-2.5-flash',
        languages: null,
        cost_micros_per_minute: perMillionTokens(0.3, 2.5),
        latency_ms: 450,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
      {
        model: 'gemini-2.5-flash-lite',
        languages: null,
        cost_micros_per_minute: perMillionTokens(0.1, 0.4),
        latency_ms: 350,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
    ],
  },
  voices: {
    label: 'Google Cloud Text-to-Speech',
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
};
