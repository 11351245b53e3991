/** CPU time of a process, from Linux's /proc. */
import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

export class CpuMeter {
  private readonly pid: number;
  private readonly begun = performance.now();
  private readonly before: number;

  constructor(pid: number) {
    this.pid = pid;
    this.before = secondsOf(pid);
  }

  /** The usage since the start, as a percentage of one core. */
  share(): number {
    return ((secondsOf(this.pid) - this.before) / ((performance.now() - this.begun) / 1_000)) * 100;
  }

  residentMegabytes(): number {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) / 1_024;
  }
}

function secondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Counts fields after the name, because the name may contain any characters.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
