import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const here = import.meta.dirname;

/** Starts one of the floor's programs and returns the port that it prints. */
export async function startProgram(file: string, ...args: string[]): Promise<{ port: number; child: ChildProcess }> {
  const child = spawn(process.execPath, [path.join(here, file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const { port } = JSON.parse(line) as { port: number };
    return { port, child };
  }
  throw new Error(`${file} ended before it listened`);
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

/** Clock ticks per second, the unit of Linux's CPU accounting. */
const ticksPerSecond = 100;

/** The CPU seconds that a process has used so far, from /proc; undefined if there is no such process. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    // The second field, the name of the program in parentheses, may contain spaces.
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? [];
    return (Number(user) + Number(system)) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

/** Resident memory of a process in MB, from /proc; undefined if there is no such process. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

/** The CPU seconds that a process and its children have used so far, including children that have ended and for which it has waited. */
export const cpuOfTree = (pid: number): number => [...cpuOfParts(pid).values()].reduce((sum, used) => sum + used, 0);

/** The same by part: a session of PostgreSQL belongs to the part `postgres ROLE`, the rest to the part with the empty name. */
export function cpuOfParts(pid: number): Map<string, number> {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parts = new Map<string, number>();
  for (const row of all.map(statOf)) {
    if (row === undefined || (row.id !== pid && row.parent !== pid)) continue;
    const part = row.id === pid ? '' : sessionOf(row.id);
    parts.set(part, (parts.get(part) ?? 0) + row.seconds);
  }
  return parts;
}

/** A session's title is "postgres: ROLE DATABASE ADDRESS STATE"; a background process has no address. */
function sessionOf(pid: number): string {
  try {
    const [, role] = /^postgres: (\S+) \S+ \S+\(\d+\)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? [];
    return role === undefined ? '' : `postgres ${role}`;
  } catch {
    return '';
  }
}

function statOf(name: string): { id: number; parent: number; seconds: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0);
    return { id: Number(name), parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}
