/** Components with fallbacks within a call. */
export { Breakers } from './breakers';
export type { Candidate, FallbackOptions, Incident } from './candidate';
export { modelWithFallback, type CallModel } from './model-with-fallback';
export { transcriberWithFallback, type CallTranscriber } from './transcriber-with-fallback';
export { voiceWithFallback, type CallVoice } from './voice-with-fallback';
