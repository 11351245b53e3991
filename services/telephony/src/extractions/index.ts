/** What was extracted from calls, which the service insights does. */
export { getCallExtraction } from './extractions';
export { extractionRpcs } from './extraction-rpcs';
