/** The priority of a browser's processes, so that a measured page does not wait for the cores that the platform uses. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const highest = -20;

const numbersIn = (folder: string): number[] => readdirSync(folder).map(Number).filter(Number.isInteger);

/** The session of a process, in which a browser starts all of its processes. */
const sessionOf = (pid: number): number =>
  Number(
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[3],
  );

/** Undefined if the process or the thread ended meanwhile. */
function ifThere<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    const { code, info } = error as NodeJS.ErrnoException & { readonly info?: { readonly code: string } };
    const isGone = ['ENOENT', 'ESRCH'].includes(info?.code ?? code ?? '');
    if (isGone) return undefined;
    throw error;
  }
}

/**
 * Gives all threads of the browser with this profile the highest priority, and their session too, which the kernel may schedule as one group. Returns whether
 * that was permitted; only Linux lets a process try it.
 */
export function preferBrowser(profile: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const pids = numbersIn('/proc');
    const browser = pids.find((pid) =>
      ifThere(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
        ?.split('\0')
        .includes(`--user-data-dir=${profile}`),
    );
    const session = browser && ifThere(() => sessionOf(browser));
    if (session === undefined) return false;
    for (const pid of pids.filter((one) => ifThere(() => sessionOf(one)) === session))
      for (const thread of ifThere(() => numbersIn(`/proc/${pid}/task`)) ?? [])
        ifThere(() => setPriority(thread, highest));
    ifThere(() => writeFileSync(`/proc/${session}/autogroup`, String(highest)));
    return true;
  } catch {
    return false;
  }
}
