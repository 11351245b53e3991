/** Accounts at providers of voices: whose they are, and how their addresses are reached. */
export { providerAccounts, type PlatformAccounts, type ProviderAccounts } from './provider-accounts';
