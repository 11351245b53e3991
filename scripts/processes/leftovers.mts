/** Ends processes that an earlier supervisor has left behind because neither it nor its guard could end them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that was started, and a text in its command line that distinguishes it from another process with a reused id. */
export interface StartedProcess {
  pid: number;
  mark: string;
  stopSignal: NodeJS.Signals;
}

export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}

/** Ends the processes and waits until they have exited. @returns how many were found */
export async function endLeftovers(started: readonly StartedProcess[]): Promise<number> {
  const ours = started.filter(({ pid, mark }) => isAlive(pid) && commandLineOf(pid).includes(mark));
  for (const { pid, stopSignal } of ours) signal(pid, stopSignal);
  for (let waited = 0; ours.some(({ pid }) => isAlive(pid)); waited += 50) {
    if (waited === 5_000) for (const { pid } of ours) signal(pid, 'SIGKILL');
    if (waited > 8_000) break;
    await sleep(50);
  }
  return ours.length;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended meanwhile.
  }
}
