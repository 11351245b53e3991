/**
 * Asterisk without installation: Debian packages, pinned by packages.lock.json, are unpacked into a cache folder. Debian's sid has only one version of each
 * package: if a pinned one is not available any more, the current one is used and reported.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../../processes/program.mts';
import { findBinary } from '../../servers/binaries.mts';
import { PrivateApt, runTool } from './apt.mts';
import { PackageCache, cacheFolder } from './cache.mts';
import { differences, readLock, writeLock, type DebianPackage } from './lock-file.mts';

export interface InstallOptions {
  say: (text: string) => void;
  /** Whether to fail if the archive does not have all pinned versions. */
  locked?: boolean;
  /** Whether to write the archive's current versions to the lock file. */
  updateLock?: boolean;
}

export interface Installation {
  /** The folder with the unpacked packages. */
  root: string;
  /** The Debian version of Asterisk. */
  version: string;
  /** The packages that differ from the lock file, one line each. */
  differences: string[];
}

export async function install(options: InstallOptions): Promise<Installation> {
  requireDebian();
  const cache = new PackageCache(cacheFolder());
  const pinned = await pinnedPackages(options);
  if (!options.updateLock && cache.missing(pinned).length === 0) return unpack(cache, pinned, []);
  const substitute = options.updateLock || options.locked ? undefined : cache.readSubstitute(pinned);
  if (substitute && cache.missing(substitute).length === 0) {
    const differing = differences(pinned, substitute);
    options.say(`Asterisk from packages that are cached, ${differing.length} of them not those of the lock`);
    return unpack(cache, substitute, differing);
  }
  return fetchPackages(cache, pinned, options);
}

async function fetchPackages(
  cache: PackageCache,
  pinned: readonly DebianPackage[],
  { say, locked, updateLock }: InstallOptions,
): Promise<Installation> {
  mkdirSync(cache.folder, { recursive: true });
  const folder = mkdtempSync(path.join(cache.folder, 'apt-'));
  try {
    say("reading Debian's lists of packages");
    const apt = new PrivateApt(folder);
    await apt.update();
    const resolved = await resolve(apt, updateLock ? [] : pinned);
    const differing = differences(updateLock ? resolved : pinned, resolved);
    if (locked && differing.length > 0) {
      throw new StartError(['the archive has not the packages of the lock any more:', ...differing].join('\n  '));
    }
    if (differing.length > 0)
      say(['not the packages of the lock, which the archive has no longer:', ...differing].join('\n  '));
    const missing = cache.missing(resolved);
    const bytes = missing.reduce((total, entry) => total + entry.size, 0);
    if (missing.length > 0) say(`fetching ${missing.length} packages, ${(bytes / 1e6).toFixed(1)} MB`);
    cache.take(missing, await apt.download(missing));
    if (updateLock) writeLock({ architecture: await architectureOfHost(), packages: resolved });
    else if (differing.length > 0) cache.writeSubstitute(pinned, resolved);
    return await unpack(cache, resolved, differing);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Uses the pinned versions as far as available, or none if they cannot be combined. */
async function resolve(apt: PrivateApt, pinned: readonly DebianPackage[]): Promise<DebianPackage[]> {
  apt.prefer(pinned);
  try {
    return await apt.resolve();
  } catch (error) {
    if (pinned.length === 0) throw error;
    apt.prefer([]);
    return apt.resolve();
  }
}

async function unpack(
  cache: PackageCache,
  packages: readonly DebianPackage[],
  differing: string[],
): Promise<Installation> {
  const root = await cache.unpacked(packages);
  const version = packages.find((entry) => entry.package === 'asterisk')?.version ?? 'unknown';
  return { root, version, differences: differing };
}

/** Returns the pinned packages; none if the lock file is for another architecture. */
async function pinnedPackages({ say, updateLock }: InstallOptions): Promise<DebianPackage[]> {
  const lock = updateLock ? undefined : readLock();
  if (!lock) return [];
  const architecture = await architectureOfHost();
  if (lock.architecture === architecture) return lock.packages;
  say(`the lock is for ${lock.architecture}; for ${architecture} the current packages are taken`);
  return [];
}

async function architectureOfHost(): Promise<string> {
  return (await runTool('dpkg', ['--print-architecture'])).trim();
}

function requireDebian(): void {
  const absent = ['apt-get', 'apt-cache', 'dpkg', 'dpkg-deb'].filter((name) => !findBinary(name));
  if (process.platform === 'linux' && absent.length === 0 && existsSync('/etc/apt')) return;
  throw new StartError(
    `Asterisk is taken from Debian packages: needs Linux with apt (missing here: ${absent.join(', ')})`,
  );
}
