import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Cumulative usage of one core, or of all cores, in ticks of /proc/stat. */
interface CoreTime {
  readonly total: number;
  readonly idle: number;
  /** Steal time: this machine wanted to run, but the hypervisor ran something else. */
  readonly steal: number;
}

/** @param core undefined: all cores together */
export function coreTime(core?: number): CoreTime {
  const line = new RegExp(`^cpu${core ?? ' '} *(.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/ +/)
    .map(Number);
  return { total: user + nice + system + idle + wait + irq + softirq + steal, idle: idle + wait, steal };
}

/** Shares of the time between two readings. */
export function coreShares(before: CoreTime, after: CoreTime): { busy: number; steal: number } {
  const total = Math.max(1, after.total - before.total);
  const steal = after.steal - before.steal;
  return { busy: (total - (after.idle - before.idle) - steal) / total, steal: steal / total };
}

/** The cores on which this process may run. */
export function allowedCores(): number[] {
  const list = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

/** Pins all threads of this process, and all processes that it starts later, to these cores. */
export function stayOn(cores: readonly number[]): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores.join(','), String(process.pid)], { stdio: 'pipe' });
}
