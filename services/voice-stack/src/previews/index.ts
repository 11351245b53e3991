/** Voice previews: which voice speaks, and what synthesizes it. */
export { AccountVoices } from './account-voices';
export { synthesizePreview, type Speakers } from './synthesize-preview';
