/** npm start: the whole platform, a first call, then one line a request until it is asked to stop. */
import { runPlatform } from './platform/run.mts';

await runPlatform(process.argv.slice(2));
