/** What a call is conducted with and no read shows. */
export { getCallSecrets, type CallSecretsQuestion } from './get-call-secrets';
