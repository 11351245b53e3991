/** Translations of transcripts and messages. */
export { createTranslationRunner } from './translation-runner';
export { translatorOf } from './translators';
