export { build } from './build';
export { VoiceStackConfig } from './config';
