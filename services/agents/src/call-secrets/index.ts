/** The secrets of a call, which no read shows. */
export { getCallSecrets } from './get-call-secrets';
