import { rmSync } from 'node:fs';
import { newHome, Platform, SHARED_HOME, type PlatformOptions, type SharedKind } from './platform';

const kinds: Readonly<Record<SharedKind, PlatformOptions>> = { one: {}, pair: { replicas: 2, leaseSeconds: 10 } };

/** Where the teardown of Jest, which loads this module again, finds what the setup started. */
const kept = globalThis as { sharedPlatforms?: { readonly platform: Platform; readonly home: string }[] };

/** Starts the platforms of `Platform.shared` before the workers, if SHARED_PLATFORM asks for them. */
export async function startShared(): Promise<void> {
  if (process.env.SHARED_PLATFORM === undefined) return;
  kept.sharedPlatforms = [];
  for (const kind of Object.keys(kinds) as SharedKind[]) {
    const home = newHome();
    process.env[`${SHARED_HOME}_${kind}`] = home;
    kept.sharedPlatforms.push({ home, platform: await Platform.start({ ...kinds[kind], home }) });
  }
}

export async function stopShared(): Promise<void> {
  await Promise.all(
    (kept.sharedPlatforms ?? []).map(async ({ platform, home }) => {
      await platform.stop();
      rmSync(home, { recursive: true, force: true });
    }),
  );
}
