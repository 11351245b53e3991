import type { SpeechProtocol } from '../speech-protocol';

/** OpenAI, and servers that speak its protocol: POST /v1/audio/speech. A delivery is an instruction or a speed. */
export const speech: SpeechProtocol = {
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
