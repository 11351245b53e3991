/** Previews of voices: speech of the providers and of the offline synthesizer. */
export type { Synthesizers } from './speech-synthesizer';
export { synthesizePreview } from './synthesize-preview';
export { synthesizersOf, type SpeechAccount } from './synthesizers';
