/** The secrets of a call, which no API read returns. */
export { getCallSecrets } from './get-call-secrets';
