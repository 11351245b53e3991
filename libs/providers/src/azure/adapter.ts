import type { StreamingAdapter } from '../adapter';
import { chatModel } from '../openai/chat';
import type { OpenAiServer } from '../openai/client';

/** Azure OpenAI's v1 API. The account specifies the resource, https://<resource>.openai.azure.com/openai/v1; the model is the name of a deployment. */
const server: OpenAiServer = { provider: 'azure', publicUrl: '', keyHeader: 'api-key', isOpenAi: true };

/** Only language models: Azure Speech has a separate protocol, for which there is no adapter. */
export const azure: StreamingAdapter = {
  name: server.provider,
  requiresKey: true,
  requiresBaseUrl: true,
  model: (account) => {
    if ((account.baseUrl ?? '') === '') throw new Error(`an account of ${server.provider} needs a base_url`);
    return chatModel(server, account);
  },
};
