/** Finds a Chromium that is installed on this machine: tests do not download one. */
import { existsSync } from 'node:fs';
import { findBinary } from '../servers/binaries.mts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Returns the browser named by BROWSER_PATH, otherwise the first one found; undefined if there is none. */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.BROWSER_PATH) return env.BROWSER_PATH;
  for (const name of names) {
    const found = findBinary(name);
    if (found !== undefined) return found;
  }
  return places.find((place) => existsSync(place));
}
