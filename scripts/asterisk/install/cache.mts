/** The cache of packages and unpacked folders. Files are verified each time they are used, so that a damaged one is downloaded again. */
import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { runTool } from './apt.mts';
import { fileNameOf, type DebianPackage } from './lock-file.mts';

export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME || path.join(homedir() || userInfo().homedir, '.cache');
  return path.join(base, 'parley/asterisk');
}

export class PackageCache {
  readonly folder: string;
  private readonly debs: string;

  constructor(folder: string) {
    this.folder = folder;
    this.debs = path.join(folder, 'debs');
    mkdirSync(this.debs, { recursive: true });
    mkdirSync(path.join(folder, 'resolved'), { recursive: true });
  }

  /** Returns the packages that are missing or have a wrong hash. */
  missing(packages: readonly DebianPackage[]): DebianPackage[] {
    return packages.filter((entry) => sha256Of(path.join(this.debs, fileNameOf(entry))) !== entry.sha256);
  }

  /** Adds downloaded packages. @throws Error if a file differs from the signed list */
  take(packages: readonly DebianPackage[], folder: string): void {
    for (const entry of packages) {
      const file = path.join(folder, fileNameOf(entry));
      const found = sha256Of(file);
      if (found !== entry.sha256) throw new Error(`${fileNameOf(entry)} has the SHA-256 ${found}, not ${entry.sha256}`);
      const arriving = path.join(this.debs, `${fileNameOf(entry)}.${randomUUID()}`);
      copyFileSync(file, arriving);
      renameSync(arriving, path.join(this.debs, fileNameOf(entry)));
    }
  }

  /** Unpacks a set of packages once. @returns the folder */
  async unpacked(packages: readonly DebianPackage[]): Promise<string> {
    const root = path.join(this.folder, `root-${stampOf(packages).slice(0, 16)}`);
    if (existsSync(root)) return root;
    const arriving = `${root}.${randomUUID()}`;
    mkdirSync(arriving);
    try {
      for (const entry of packages) {
        await runTool('dpkg-deb', ['--extract', path.join(this.debs, fileNameOf(entry)), arriving]);
      }
      renameSync(arriving, root);
    } catch (error) {
      // Ignored if another process has unpacked the same packages meanwhile.
      if (!existsSync(root)) throw error;
    } finally {
      rmSync(arriving, { recursive: true, force: true });
    }
    return root;
  }

  /** The packages used instead of those in a lock file whose versions are not all in the archive any more. */
  readSubstitute(locked: readonly DebianPackage[]): DebianPackage[] | undefined {
    const file = this.substituteFile(locked);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DebianPackage[]) : undefined;
  }

  writeSubstitute(locked: readonly DebianPackage[], resolved: readonly DebianPackage[]): void {
    writeFileSync(this.substituteFile(locked), JSON.stringify(resolved));
  }

  private substituteFile(locked: readonly DebianPackage[]): string {
    return path.join(this.folder, 'resolved', `${stampOf(locked).slice(0, 16)}.json`);
  }
}

function stampOf(packages: readonly DebianPackage[]): string {
  const hashes = packages.map((entry) => entry.sha256).sort();
  return createHash('sha256').update(hashes.join('\n')).digest('hex');
}

function sha256Of(file: string): string | undefined {
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : undefined;
}
