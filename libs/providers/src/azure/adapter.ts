import type { StreamingAdapter } from '../adapter';
import { chatModel } from '../openai/chat';
import type { OpenAiServer } from '../openai/client';

/** Azure OpenAI's v1 API: the account names the resource, https://<resource>.openai.azure.com/openai/v1; a model is the name of a deployment. */
const server: OpenAiServer = { provider: 'azure', publicUrl: '', keyHeader: 'api-key', isOpenAi: true };

/** Language models alone: Azure Speech has a protocol of its own and no adapter. */
export const azure: StreamingAdapter = {
  name: server.provider,
  requiresKey: true,
  requiresBaseUrl: true,
  model: (account) => {
    if ((account.baseUrl ?? '') === '') throw new Error(`an account of ${server.provider} needs a base_url`);
    return chatModel(server, account);
  },
};
