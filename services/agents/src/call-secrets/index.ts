/** What a call is conducted with and no read shows. */
export { getCallSecrets } from './get-call-secrets';
