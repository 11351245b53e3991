import type { SpeechProtocol } from '../speech-protocol';

/** Models that take a language; others are told by the text, and refuse to be told otherwise. */
const takesLanguage = /_v2_5$/;

/** ElevenLabs: POST /v1/text-to-speech/{voice_id}. A delivery is an object of voice settings. */
export const speech: SpeechProtocol = {
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

const primarySubtag = (language: string): string => language.toLowerCase().split('-')[0] ?? language;
