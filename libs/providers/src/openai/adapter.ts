import type { StreamingAdapter } from '../adapter';
import { chatModel } from './chat';
import type { OpenAiServer } from './client';
import { speechSynthesizer } from './speech';
import { segmentTranscriber } from './transcription';

const server: OpenAiServer = { provider: 'openai', publicUrl: 'https://api.openai.com/v1', isOpenAi: true };

export const openai: StreamingAdapter = {
  name: server.provider,
  requiresKey: true,
  transcriber: (account) => segmentTranscriber(server, account),
  model: (account) => chatModel(server, account),
  synthesizer: (account) => speechSynthesizer(server, account),
};
