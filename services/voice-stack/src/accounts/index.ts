/** Accounts at voice providers: their owner, and how their addresses are reached. */
export { providerAccounts, type PlatformAccounts, type ProviderAccounts } from './provider-accounts';
