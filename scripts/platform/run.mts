/** Runs a platform in a terminal: start, first call, run, stop. Used by `npm start` and `npm run dev`. */
import { StartError } from '../processes/program.mts';
import { findBinary } from '../servers/binaries.mts';
import { firstCall } from './first-call.mts';
import { parseStartOptions } from './options.mts';
import { Platform } from './platform.mts';
import { stopOnSignal, stopWithParent } from './signals.mts';

export interface RunHooks {
  onReady?: (platform: Platform) => void;
  onStop?: () => void;
}

/** Ends the process: with 0 after a signal, with 1 if the platform could not be started. */
export async function runPlatform(args: readonly string[], hooks: RunHooks = {}): Promise<void> {
  // The platform keeps running if the reader of its output ends (`npm start | head`).
  process.stdout.on('error', () => undefined);
  stopWithParent();
  // Tests and benches start platforms with a folder of their own, and decide for themselves.
  if (!args.includes('--home')) offerSpeech();
  try {
    const platform = new Platform(parseStartOptions(args));
    const stop = async (): Promise<void> => {
      hooks.onStop?.();
      await platform.stop();
    };
    const stopped = stopOnSignal({ stop, kill: () => platform.supervisor.kill() });
    try {
      await bringUp(platform);
      hooks.onReady?.(platform);
    } catch (error) {
      // A start that was interrupted by a signal is not an error.
      if (!platform.supervisor.isStopping) {
        fail(error);
        await stop();
        process.exit(1);
      }
    }
    process.exit(await stopped);
  } catch (error) {
    fail(error);
    process.exit(1);
  }
}

/** If the offline recognizer is installed, people can talk with their agents at once, without an account of a provider. */
function offerSpeech(): void {
  const isChosen = ['TEST_CALL_CONDUCTOR', 'ENGINE_CAPACITY'].some((name) => process.env[name] !== undefined);
  if (!isChosen && findBinary('pocketsphinx_continuous') !== undefined) process.env.TEST_CALL_CONDUCTOR = 'offline';
}

async function bringUp(platform: Platform): Promise<void> {
  const { home, options } = platform;
  const begin = performance.now();
  const keys = await platform.start();
  platform.say(`
Parley is ready after ${((performance.now() - begin) / 1000).toFixed(1)} s at ${platform.baseUrls.join(', ')}
${platform.consoleUrl === undefined ? '' : `The console is at ${platform.consoleUrl}; sign in with admin_key\n`}Keys are in ${home.development}. Try:
  KEY=$(node -p "require('${home.development}').admin_key")
  curl -H "Authorization: Bearer $KEY" ${keys.base_url}/v1/agents
`);
  if (options.firstCall === 'never') return;
  try {
    await firstCall(home.firstCall, keys, (text) => platform.say(text));
  } catch (error) {
    platform.say(`First call: failed, ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fail(error: unknown): void {
  const text = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
}
