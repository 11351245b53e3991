import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A process is continued after this many seconds, even if this program has ended by then. */
const backupSeconds = 10;

/**
 * Stops processes and all their descendants with SIGSTOP, and continues them after this many seconds. Their connections stay open without responses. From
 * outside this looks like a stalled node, a paused virtual machine or a long garbage collection.
 */
export async function freeze(pids: readonly number[], seconds: number): Promise<void> {
  const stopped = new Set<number>();
  for (const pid of pids) stopTree(pid, stopped);
  const backup = spawn(
    'sh',
    ['-c', `sleep ${Math.ceil(seconds) + backupSeconds}; kill -CONT ${[...stopped].join(' ')}`],
    {
      detached: true,
      stdio: 'ignore',
    },
  );
  backup.unref();
  try {
    await pause(seconds * 1000);
  } finally {
    for (const pid of [...stopped].reverse()) signal(pid, 'SIGCONT');
    // Kills the process group, because the shell is waiting for its child process `sleep`.
    if (backup.pid !== undefined) signal(-backup.pid, 'SIGKILL');
  }
}

/**
 * Stops the parent first, so that it starts no further children. Children of PostgreSQL have their own process groups, so a signal to the parent's group would
 * not reach them.
 */
function stopTree(pid: number, stopped: Set<number>): void {
  if (!signal(pid, 'SIGSTOP')) return;
  stopped.add(pid);
  for (const child of childrenOf(pid)) stopTree(child, stopped);
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    // The second field, the name of the program in parentheses, may contain spaces.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** @returns false if the process has ended */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
