import type { ProviderAccount, StreamingAdapter } from '../adapter';
import { chatModel } from '../openai/chat';
import type { OpenAiServer } from '../openai/client';
import { speechSynthesizer } from '../openai/speech';
import { segmentTranscriber } from '../openai/transcription';

/** The account specifies the URL including the version, such as http://127.0.0.1:11434/v1. */
const server: OpenAiServer = { provider: 'openai_compatible', publicUrl: '', isOpenAi: false };

/** @throws Error if an account has no URL, because the client would then send requests to OpenAI */
function addressed(account: ProviderAccount): ProviderAccount {
  if ((account.baseUrl ?? '') === '') throw new Error(`an account of ${server.provider} needs a base_url`);
  return account;
}

/** Servers that implement OpenAI's protocol, such as vLLM, Ollama, speaches, Kokoro-FastAPI and faster-whisper-server. */
export const openaiCompatible: StreamingAdapter = {
  name: server.provider,
  requiresKey: false,
  requiresBaseUrl: true,
  transcriber: (account) => segmentTranscriber(server, addressed(account)),
  model: (account) => chatModel(server, addressed(account)),
  synthesizer: (account) => speechSynthesizer(server, addressed(account)),
};
