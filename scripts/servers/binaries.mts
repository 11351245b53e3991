/** Finds the binaries of servers in PATH and in the usual system folders. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const systemFolders = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin', '/snap/bin'];
/** Folders of PostgreSQL with a version: <parent>/<major><suffix>. */
const postgresParents = [
  { parent: '/usr/lib/postgresql', name: /^(\d+)$/ },
  { parent: '/usr', name: /^pgsql-(\d+)$/ },
  { parent: '/opt/homebrew/opt', name: /^postgresql@(\d+)$/ },
  { parent: '/usr/local/opt', name: /^postgresql@(\d+)$/ },
];
export const oldestPostgres = 15;

export interface PostgresBinaries {
  /** The folder that contains `postgres` and `initdb`. */
  folder: string;
  major: number;
}

/** The first executable with this name in PATH or in a usual system folder. */
export function findBinary(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), ...systemFolders];
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

/** All installed PostgreSQL versions that can be used, the newest first. */
export function findPostgres(): PostgresBinaries[] {
  const versioned = postgresParents.flatMap(({ parent, name }) =>
    (existsSync(parent) ? readdirSync(parent) : [])
      .filter((entry) => name.test(entry))
      .map((entry) => path.join(parent, entry, 'bin')),
  );
  const onPath = findBinary('postgres');
  const folders = [...(onPath ? [path.dirname(onPath)] : []), ...versioned];
  const usable = folders.flatMap((folder) => postgresAt(folder) ?? []);
  return usable.sort((a, b) => b.major - a.major);
}

/** The PostgreSQL in this folder, if it is complete and new enough. */
export function postgresAt(folder: string): PostgresBinaries | undefined {
  const binary = path.join(folder, 'postgres');
  if (!isExecutable(binary) || !isExecutable(path.join(folder, 'initdb'))) return undefined;
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1]);
  return major >= oldestPostgres ? { folder, major } : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
