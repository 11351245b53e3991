/** npm start: starts the whole platform, places a first call, and then prints one line per request until it is stopped. */
import { runPlatform } from './platform/run.mts';

await runPlatform(process.argv.slice(2));
