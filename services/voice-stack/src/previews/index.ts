/** Voice previews: the choice of the voice, and its synthesis. */
export { AccountVoices } from './account-voices';
export { synthesizePreview, type Speakers } from './synthesize-preview';
