/**
 * PostgreSQL refuses to run as root. Started by root it runs as `postgres` where that user exists, else as `nobody`, and its
 * data must lie where that user can go: not below a folder that is closed to others, such as root's home.
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

/** The user as whom PostgreSQL must run, or undefined when that is the caller. */
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

/** Can this user pass through every folder above and including `folder`? Folders that do not exist yet are ours to open. */
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
 * Where the servers of this home keep their data: in the home itself, or in /var/tmp/parley-<hash> where the database's user
 * cannot reach the home. The hash is that of the checkout for its own home, of the home's path for any other.
 */
export function dataDirectory(home: string, user: DatabaseUser | undefined, outside = '/var/tmp'): string {
  const resolved = path.resolve(home);
  if (!user || canReach(user, resolved)) return path.join(resolved, 'data');
  const named = path.basename(resolved) === '.parley' ? path.dirname(resolved) : resolved;
  return path.join(outside, `parley-${createHash('sha256').update(named).digest('hex').slice(0, 12)}`);
}

/** Creates the folder, open for passing through, and refuses one that somebody else has put there. */
export function makeDataDirectory(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || (process.getuid !== undefined && stat.uid !== process.getuid())) {
    throw new StartError(`${folder} belongs to somebody else; remove it or start with --home <directory>`);
  }
}
