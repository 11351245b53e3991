/** What happens to the data of calls afterwards: erasure and retention, translations, extractions. */

// Retention and erasure of personal data.
export { eraseCall } from './erasure/erase-call';
export { createEraser, createRetentionRunner } from './erasure/eraser';
export { createErasure, getErasure } from './erasure/erasures';
export { getRetention, setRetention } from './erasure/retention';

// Extraction results of calls, produced by the insights service.
export { extractionRpcs } from './extractions/extraction-rpcs';
export { getCallExtraction } from './extractions/extractions';

// Translations of transcripts and messages.
export { createTranslationRunner } from './translations/translation-runner';
export { translatorOf } from './translations/translators';
