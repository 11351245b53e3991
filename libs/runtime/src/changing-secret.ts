import { readFileSync } from 'node:fs';
import { systemClock, type Clock } from './clock';

/** How long the content of a file is cached. */
const READ_EVERY_MS = 5_000;

/**
 * A secret that can be replaced while the process runs. If `<VARIABLE>_FILE` is set, the file is read again when the secret is used, at most every five
 * seconds; a file that cannot be read or is not `usable` changes nothing. Otherwise the secret is the value with which the process was started.
 */
export function changingSecret(
  variable: string,
  value: string,
  {
    usable = () => true,
    env = process.env,
    clock = systemClock,
  }: { usable?: (text: string) => boolean; env?: NodeJS.ProcessEnv; clock?: Pick<Clock, 'monotonicMs'> } = {},
): () => string {
  const file = env[`${variable}_FILE`];
  if (file === undefined || file === '') return () => value;
  let current = value;
  let readAt = clock.monotonicMs();
  return () => {
    const now = clock.monotonicMs();
    if (now - readAt < READ_EVERY_MS) return current;
    readAt = now;
    const read = textOf(file);
    if (read !== undefined && read !== current && usable(read)) current = read;
    return current;
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    // The volume is missing or is being replaced: the last content remains valid.
    return undefined;
  }
}
