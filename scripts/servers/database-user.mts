/**
 * PostgreSQL refuses to run as root. If root starts it, it runs as `postgres` if that user exists, otherwise as `nobody`. Its data must be in a folder that
 * this user can access, so not below a folder that is closed to others, such as root's home.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../processes/program.mts';

export interface DatabaseUser {
  name: string;
  uid: number;
  gid: number;
}

/** The user as whom PostgreSQL must run; undefined if that is the caller. */
export function databaseUser(): DatabaseUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout));
    if (uid && gid) return { name, uid, gid };
  }
  throw new StartError(
    'PostgreSQL does not run as root and there is no user postgres or nobody: useradd --system postgres',
  );
}

/** Whether this user can access `folder` and all folders above it. Folders that do not exist yet can be created with the necessary permissions. */
export function canReach(user: DatabaseUser, folder: string): boolean {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const stat = statSync(current, { throwIfNoEntry: false });
    if (stat) {
      const bit = stat.uid === user.uid ? 0o100 : stat.gid === user.gid ? 0o010 : 0o001;
      if ((stat.mode & bit) === 0) return false;
    }
    if (current === path.dirname(current)) return true;
  }
}

/**
 * The data folder for the servers of a home: in the home itself, or /var/tmp/parley-<hash> if the database's user cannot access the home. For the home of a
 * checkout, the hash is computed from the path of the checkout; for any other home, from its own path.
 */
export function dataDirectory(home: string, user: DatabaseUser | undefined, outside = '/var/tmp'): string {
  const resolved = path.resolve(home);
  if (!user || canReach(user, resolved)) return path.join(resolved, 'data');
  const named = path.basename(resolved) === '.parley' ? path.dirname(resolved) : resolved;
  return path.join(outside, `parley-${createHash('sha256').update(named).digest('hex').slice(0, 12)}`);
}

/** Creates the folder so that other users can pass through it. Refuses a folder that another user has created. */
export function makeDataDirectory(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || (process.getuid !== undefined && stat.uid !== process.getuid())) {
    throw new StartError(`${folder} belongs to somebody else; remove it or start with --home <directory>`);
  }
}
