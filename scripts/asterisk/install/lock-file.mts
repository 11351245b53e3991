/** The pinned packages of Asterisk: the names, versions and hashes that were last tested. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A Debian package in one version. */
export interface DebianPackage {
  package: string;
  version: string;
  architecture: string;
  suite: string;
  size: number;
  sha256: string;
}

export interface PackageLock {
  /** The processor architecture of the packages, as named by Debian. */
  architecture: string;
  packages: DebianPackage[];
}

export const lockFile = path.resolve(import.meta.dirname, '../packages.lock.json');

export function readLock(file = lockFile): PackageLock {
  return JSON.parse(readFileSync(file, 'utf8')) as PackageLock;
}

export function writeLock(lock: PackageLock, file = lockFile): void {
  const packages = [...lock.packages].sort((a, b) => (a.package < b.package ? -1 : 1));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages }, undefined, 2)}\n`);
}

/**
 * Returns the differences from the lock file, one line per package. A package with the same version but another hash is an error, because archives do not
 * change released packages.
 */
export function differences(locked: readonly DebianPackage[], resolved: readonly DebianPackage[]): string[] {
  const names = new Set([...locked, ...resolved].map((entry) => entry.package));
  return [...names].sort().flatMap((name) => {
    const before = locked.find((entry) => entry.package === name);
    const now = resolved.find((entry) => entry.package === name);
    if (!now) return [`${name} ${before?.version} is no longer needed`];
    if (!before) return [`${name} ${now.version} is not in the lock`];
    if (before.version !== now.version) return [`${name} ${now.version} instead of ${before.version}`];
    if (before.sha256 !== now.sha256) {
      throw new Error(`${name} ${now.version} has the SHA-256 ${now.sha256}; the lock says ${before.sha256}`);
    }
    return [];
  });
}

/** The file name that apt gives to a package. */
export function fileNameOf({ package: name, version, architecture }: DebianPackage): string {
  return `${name}_${version.replaceAll(':', '%3a')}_${architecture}.deb`;
}
