/** Accounts at voice providers, and how requests are sent to their servers. */
export { providerAccounts, type PlatformAccounts, type ProviderAccounts } from './provider-accounts';
