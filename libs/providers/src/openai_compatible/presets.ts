import { compatibleServers } from '@parley/contract';
import type { StreamingAdapter } from '../adapter';
import { chatModel } from '../openai/chat';

/** Vendors and servers of language models with OpenAI's protocol, by their names. */
export const presets: readonly StreamingAdapter[] = compatibleServers.map(
  ({ provider, base_url: publicUrl, requires_key: requiresKey }) => ({
    name: provider,
    requiresKey,
    requiresBaseUrl: publicUrl === null,
    model: (account) => {
      if (publicUrl === null && (account.baseUrl ?? '') === '')
        throw new Error(`an account of ${provider} needs a base_url`);
      return chatModel({ provider, publicUrl: publicUrl ?? '', isOpenAi: false }, account);
    },
  }),
);
