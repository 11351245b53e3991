import type { ProviderAccount } from '@parley/providers';
import { createVettedRequests, type AddressPolicy } from '@parley/service';

/** Outgoing connections to providers. Addresses that customers have configured are checked before a connection is made. */
export interface VettedNetwork {
  accountOf(account: Pick<ProviderAccount, 'apiKey' | 'baseUrl'>): ProviderAccount;
  close(): Promise<void>;
}

export function createVettedNetwork(policy: AddressPolicy): VettedNetwork {
  const requests = createVettedRequests(policy, { keepsConnections: true });
  return {
    accountOf({ apiKey, baseUrl }) {
      if (baseUrl === undefined) return { apiKey };
      return { apiKey, baseUrl, fetch: requests.fetch, agent: requests.agentOf(baseUrl) };
    },
    close: () => requests.close(),
  };
}
