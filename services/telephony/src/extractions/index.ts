/** Extraction results of calls, produced by the insights service. */
export { getCallExtraction } from './extractions';
export { extractionRpcs } from './extraction-rpcs';
