import { changingSecret } from '@parley/runtime';
import { parsePeppers, type Peppers } from './peppers.rules';

/** The peppers of TOKEN_PEPPERS. The file that TOKEN_PEPPERS_FILE names is reloaded while the process runs. */
export function changingPeppers(tokenPeppers: string, options: Parameters<typeof changingSecret>[2] = {}): Peppers {
  const text = changingSecret('TOKEN_PEPPERS', tokenPeppers, { ...options, usable: arePeppers });
  let read = text();
  let peppers = parsePeppers(read);
  const now = (): Peppers => {
    const given = text();
    if (given !== read) [read, peppers] = [given, parsePeppers(given)];
    return peppers;
  };
  return { current: (token) => now().current(token), all: (token) => now().all(token) };
}

function arePeppers(text: string): boolean {
  try {
    parsePeppers(text);
    return true;
  } catch {
    return false;
  }
}
