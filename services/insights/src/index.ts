export { build } from './build';
export { InsightsConfig } from './config';
