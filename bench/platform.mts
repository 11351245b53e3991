import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../scripts/processes/free-ports.mts';
import { stopProcess } from './process.mts';

/** Long enough for a busy machine. */
const readyWithinMs = 240_000;

const root = path.resolve(import.meta.dirname, '..');

interface PlatformFile {
  readonly base_urls: readonly string[];
  readonly database_url: string;
  readonly nats_url: string;
  readonly processes: readonly {
    name: string;
    replica: number;
    pid: number;
    health_port?: number;
    media_port?: number;
  }[];
}

export interface DevelopmentFile {
  readonly organization_id: string;
  readonly project_id: string;
  readonly admin_key: string;
  readonly operator_key: string;
}

/** A platform for benchmarks, started by the program behind `npm start`. */
export interface BenchPlatform {
  readonly home: string;
  readonly secondsToReady: number;
  readonly baseUrl: string;
  readonly file: PlatformFile;
  readonly development: DevelopmentFile;
  stop(): Promise<void>;
}

/**
 * Starts the platform in `home` (which can be reused for a second start) and measures the time from the command until it is ready.
 * @param replicas of every service
 * @param options as those of `npm start`
 * @param checkout the folder of another built checkout
 */
export async function startPlatform(
  home: string,
  env: Record<string, string> = {},
  replicas = 1,
  options: readonly string[] = [],
  checkout = root,
): Promise<BenchPlatform> {
  const port = await freePort();
  const begin = performance.now();
  const child: ChildProcess = spawn(
    process.execPath,
    [
      'scripts/start.mts',
      ...['--home', home, '--port', String(port), '--no-first-call', '--replicas', String(replicas)],
      // Another checkout may not support this option.
      ...(checkout === root ? ['--no-console'] : []),
      ...options,
    ],
    {
      cwd: checkout,
      // A measurement that is killed must leave no platform behind.
      env: { ...process.env, PARLEY_STOP_WITH_PARENT: '1', ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const baseUrl = `http://127.0.0.1:${port}`;
  const read = <T,>(name: string): T => JSON.parse(readFileSync(path.join(home, name), 'utf8')) as T;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the platform ended with ${child.exitCode}`);
    if (performance.now() - begin > readyWithinMs) {
      // Otherwise it would keep running and slow down the next measurement.
      await stopProcess(child);
      throw new Error(`the platform is not ready after ${readyWithinMs / 1_000} s`);
    }
    const ready = await fetch(`${baseUrl}/readyz`).then(
      async (answer) =>
        answer.status === 200 && ((await answer.json()) as { degraded?: unknown }).degraded === undefined,
      () => false,
    );
    if (ready) break;
    await sleep(20);
  }
  const secondsToReady = (performance.now() - begin) / 1000;
  while (!isWritten(() => read<DevelopmentFile>('dev.json').admin_key)) await sleep(20);
  return {
    home,
    secondsToReady,
    baseUrl,
    file: read<PlatformFile>('platform.json'),
    development: read<DevelopmentFile>('dev.json'),
    stop: () => stopProcess(child),
  };
}

export function newHome(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'));
  chmodSync(home, 0o755);
  return home;
}

export function forgetHome(home: string): void {
  rmSync(home, { recursive: true, force: true });
}

function isWritten(probe: () => string | undefined): boolean {
  try {
    return Boolean(probe());
  } catch {
    return false;
  }
}
