/** The files of a home, its lock, and its removal. */
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
  /** Process ids to be ended at the next start, should this one not come to it. */
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

/** One platform per home. The lock of a process that has ended, or whose id is reused, is ignored. */
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
 * Forgets the private data and everything that refers to it. What the bootstrap fetched and built stays. The secrets stay
 * where the database is the user's own: what is stored there is encrypted with them.
 */
export function forget(home: Home, dataDirectory: string, keepSecrets: boolean): void {
  const { development, platform, secrets, firstCall, logs } = home;
  const entries = [development, platform, firstCall, logs, ...(keepSecrets ? [] : [secrets])];
  for (const entry of entries) rmSync(entry, { recursive: true, force: true });
  for (const entry of ['postgres', 'postgres.password', 'nats', 'nats.conf', 'nats.subscriber', 'redis']) {
    rmSync(path.join(dataDirectory, entry), { recursive: true, force: true });
  }
}
