/** Ends what an earlier supervisor left behind when neither it nor its guard could. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that was started, and a text of its command line by which it is distinguished from a stranger under a reused id. */
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

/** Returns how many were found. Waits until they are gone. */
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
    // Gone in the meantime.
  }
}
