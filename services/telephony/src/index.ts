export { build } from './build';
export { TelephonyConfig } from './config';
