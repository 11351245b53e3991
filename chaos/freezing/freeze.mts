import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Seconds after which a process is continued even if this program has ended. */
const backupSeconds = 10;

/**
 * Stops processes and all their descendants with SIGSTOP for so many seconds, then continues them. Connections stay open without responses, which is what a
 * stalled node, a paused virtual machine or a long garbage collection looks like from outside.
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
    // Its group, because the shell waits for a sleep of its own.
    if (backup.pid !== undefined) signal(-backup.pid, 'SIGKILL');
  }
}

/** The parent first, so that it starts no more children. PostgreSQL's are in their own process groups, which a group's signal misses. */
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
    // The name of the program, in brackets, may contain spaces.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** False where the process has ended. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
