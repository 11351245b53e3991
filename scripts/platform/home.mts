/** The files of a home, its lock, and its deletion. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandLineOf, isAlive } from '../processes/leftovers.mts';
import { StartError } from '../processes/program.mts';

export interface Home {
  folder: string;
  /** Keys for the user: base_url, organization_id, project_id, admin_key, operator_key. */
  development: string;
  /** Addresses and processes of the running platform. */
  platform: string;
  secrets: string;
  firstCall: string;
  /** The ids of processes that the next start has to end if this one cannot do so itself. */
  processes: string;
  logs: string;
  lock: string;
}

export function homeAt(folder: string): Home {
  const at = (name: string): string => path.join(folder, name);
  return {
    folder,
    development: at('dev.json'),
    platform: at('platform.json'),
    secrets: at('secrets.json'),
    firstCall: at('first-call.json'),
    processes: at('processes.json'),
    logs: at('logs'),
    lock: at('running.pid'),
  };
}

/** Ensures that only one platform uses a home. A lock is ignored if its process has ended or its process id was reused. */
export function takeHome(home: Home): void {
  mkdirSync(home.folder, { recursive: true });
  for (;;) {
    try {
      writeFileSync(home.lock, `${process.pid}\n`, { flag: 'wx' });
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = existsSync(home.lock) ? Number(readFileSync(home.lock, 'utf8')) : 0;
    if (isAlive(holder) && /scripts\/(bootstrap\.mjs|start\.mts|dev\.mts)/.test(commandLineOf(holder))) {
      throw new StartError(
        `Parley is already running here (process ${holder}). Stop it, or start another with --home <directory> --port <port>.`,
      );
    }
    rmSync(home.lock, { force: true });
  }
}

export function leaveHome(home: Home): void {
  for (const file of [home.lock, home.platform, home.processes]) rmSync(file, { force: true });
}

/**
 * Deletes the data of the private servers and everything that refers to it. What the bootstrap has downloaded and built is kept. If the database is the user's
 * own, the secrets are kept too, because stored values are encrypted with them.
 */
export function forget(home: Home, dataDirectory: string, keepSecrets: boolean): void {
  const { development, platform, secrets, firstCall, logs } = home;
  const entries = [development, platform, firstCall, logs, ...(keepSecrets ? [] : [secrets])];
  for (const entry of entries) rmSync(entry, { recursive: true, force: true });
  for (const entry of ['postgres', 'postgres.password', 'nats', 'nats.conf', 'nats.subscriber', 'redis']) {
    rmSync(path.join(dataDirectory, entry), { recursive: true, force: true });
  }
}
