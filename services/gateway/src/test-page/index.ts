export { testPageRouters, voicePage, type VoicePage } from './test-page';
