/**
 * The state that `asterisk start` writes to its folder for `stop` and `status`: process ids with their start times, which distinguish a process from a later
 * one with the same id.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLeftovers, isAlive } from '../processes/leftovers.mts';
import { StartError } from '../processes/program.mts';
import type { RunningAsterisk } from './start.mts';

interface KnownProcess {
  pid: number;
  /** In clock ticks of the kernel since the machine was started. */
  startedAt: string;
}

export interface RunFile {
  /** The command that has started Asterisk and stops it. */
  command: KnownProcess;
  asterisk: KnownProcess;
  mark: string;
  version: string;
  ports: RunningAsterisk['ports'];
  ari: RunningAsterisk['ari'];
  log: string;
}

/** Longer than Asterisk takes to shut down. */
const stopMs = 12_000;

export function runFileIn(directory: string): string {
  return path.join(directory, 'running.json');
}

export function writeRunFile(directory: string, asterisk: RunningAsterisk): void {
  const { version, ports, ari, log, mark } = asterisk;
  const running: RunFile = {
    command: known(process.pid),
    asterisk: known(asterisk.pid() ?? 0),
    mark,
    version,
    ports,
    ari,
    log,
  };
  writeFileSync(runFileIn(directory), `${JSON.stringify(running, undefined, 2)}\n`, { mode: 0o600 });
}

export function removeRunFile(directory: string): void {
  rmSync(runFileIn(directory), { force: true });
}

/** Returns what is running from this folder; undefined if nothing is. */
export function readRunning(directory: string): RunFile | undefined {
  const running = readRunFile(directory);
  return running && (isThat(running.command) || isThat(running.asterisk)) ? running : undefined;
}

/** Ends what a killed command has left running. @throws StartError if Asterisk is already running from this folder */
export async function claimDirectory(directory: string): Promise<void> {
  const running = readRunning(directory);
  if (running && isThat(running.command)) {
    throw new StartError(
      `Asterisk already runs from ${directory} (process ${running.asterisk.pid}): npm run asterisk -- stop`,
    );
  }
  await stopRunning(directory);
}

/** Ends only processes that were started from this folder. @returns false if there were none */
export async function stopRunning(directory: string): Promise<boolean> {
  const running = readRunning(directory);
  if (running) {
    const { command, asterisk, mark } = running;
    if (isThat(command)) process.kill(command.pid, 'SIGTERM');
    for (let waited = 0; isThat(command) && waited < stopMs; waited += 50) await sleep(50);
    if (isThat(asterisk)) await endLeftovers([{ pid: asterisk.pid, mark, stopSignal: 'SIGTERM' }]);
    if (isThat(command) || isThat(asterisk))
      throw new StartError(`process ${command.pid} or ${asterisk.pid} does not end`);
  }
  removeRunFile(directory);
  return running !== undefined;
}

function readRunFile(directory: string): RunFile | undefined {
  const file = runFileIn(directory);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RunFile) : undefined;
}

function known(pid: number): KnownProcess {
  return { pid, startedAt: startOf(pid) ?? '' };
}

/** True while this exact process exists. */
function isThat({ pid, startedAt }: KnownProcess): boolean {
  return isAlive(pid) && startOf(pid) === startedAt;
}

/** The start time of a process; undefined if it does not exist or is a zombie. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
