import { rmSync } from 'node:fs';
import { newHome, Platform, SHARED_HOME } from './platform';

/** Where the teardown of Jest, which loads this module again, finds what the setup started. */
const kept = globalThis as { sharedPlatform?: { readonly platform: Platform; readonly home: string } };

/** Starts the platform of `Platform.shared` before the workers, if SHARED_PLATFORM asks for it. */
export async function startShared(): Promise<void> {
  if (process.env.SHARED_PLATFORM === undefined) return;
  const home = newHome();
  process.env[SHARED_HOME] = home;
  kept.sharedPlatform = { home, platform: await Platform.start({ home }) };
}

export async function stopShared(): Promise<void> {
  if (kept.sharedPlatform === undefined) return;
  const { platform, home } = kept.sharedPlatform;
  await platform.stop();
  rmSync(home, { recursive: true, force: true });
}
