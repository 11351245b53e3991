import type { SpeechRequest } from './speech-synthesizer';

/** One provider's HTTP protocol: how a text is asked for as raw 16-bit PCM of one channel, little-endian, 24,000 samples a second. */
export interface SpeechProtocol {
  /** The provider's public address; without a slash at the end. */
  readonly baseUrl: string;
  request(speech: SpeechRequest, apiKey: string): SpeechHttpRequest;
}

export interface SpeechHttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Models that take a language; others are told by the text, and refuse to be told otherwise. */
const takesLanguage = /_v2_5$/;

/** ElevenLabs: POST /v1/text-to-speech/{voice_id}. A delivery is an object of voice settings. */
export const elevenlabs: SpeechProtocol = {
  baseUrl: 'https://api.elevenlabs.io',
  request: ({ model, voiceId, text, language, delivery }, apiKey) => ({
    path: `/v1/text-to-speech/${encodeURIComponent(voiceId)}?output_format=pcm_24000`,
    headers: { 'xi-api-key': apiKey },
    body: {
      text,
      model_id: model,
      language_code: language !== '' && takesLanguage.test(model) ? primarySubtag(language) : undefined,
      voice_settings: typeof delivery === 'object' ? delivery : undefined,
    },
  }),
};

/** OpenAI, and servers that speak its protocol: POST /v1/audio/speech. A delivery is an instruction or a speed. */
export const openai: SpeechProtocol = {
  baseUrl: 'https://api.openai.com',
  request: ({ model, voiceId, text, delivery }, apiKey) => ({
    path: '/v1/audio/speech',
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      model,
      voice: voiceId,
      input: text,
      response_format: 'pcm',
      instructions: typeof delivery === 'string' ? delivery : undefined,
      speed: typeof delivery === 'number' ? delivery : undefined,
    },
  }),
};

const primarySubtag = (language: string): string => language.toLowerCase().split('-')[0] ?? language;
