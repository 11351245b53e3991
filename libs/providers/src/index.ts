/**
 * Transcribers, language models and voices of providers behind streaming interfaces (ADR 66). The engine uses them to conduct calls, voice-stack to synthesize
 * previews.
 */
export * from './adapter';
export { deliveryControls } from './adapter';
export { canceled, disconnected } from './failures';
export type { JsonSchema } from './json-schema';
export type * from './language-model';
export { ProviderError, type ProviderErrorCode } from './provider-error';
export type { SampleRate } from './sample-rate';
export { SegmentTranscription } from './segment-transcription';
export { SentenceSynthesis } from './sentence-synthesis';
export type * from './synthesizer';
export type * from './transcriber';
export { TranscriptionReport } from './transcription-report';
export * from './network-adapters';
