/**
 * Runs apt with a configuration of its own: its lists, caches and record of installed packages are in a separate folder, so that those of the host are not
 * changed. Needs no root. Signatures are verified only with Debian's own keys.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../processes/program.mts';
import type { DebianPackage } from './lock-file.mts';
import { entriesOfIndex, selections, sourcesOfHost } from './apt-output.mts';
import { unneeded } from './unneeded.mts';

const execute = promisify(execFile);
const defaultKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** Asterisk is only in sid. Packages that are temporarily missing in sid are taken from trixie. */
const suites = ['sid', 'trixie'];

export async function runTool(command: string, args: readonly string[], cwd?: string): Promise<string> {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    const { stdout } = await execute(command, [...args], { cwd, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const last = (stderr || message).trim().split('\n').slice(-8).join('\n');
    throw new StartError(`${command} ${args.slice(0, 6).join(' ')} failed:\n${last}`);
  }
}

export class PrivateApt {
  private readonly folder: string;
  private readonly keyring: string;

  constructor(folder: string, keyring = defaultKeyring) {
    if (!existsSync(keyring)) {
      throw new StartError(
        `${keyring} is not there, and Debian's signatures are checked with it: sudo apt-get install debian-archive-keyring`,
      );
    }
    this.folder = folder;
    this.keyring = keyring;
    for (const name of ['lists/partial', 'cache/archives/partial', 'debs']) {
      mkdirSync(path.join(folder, name), { recursive: true });
    }
    this.write('status', unneeded.map(asInstalled).join(''));
    this.write('apt.conf', configuration(folder));
    this.prefer([]);
  }

  /** Prefers these versions if the archive still has them. */
  prefer(packages: readonly DebianPackage[]): void {
    const pins = packages.map(
      (entry) => `Package: ${entry.package}\nPin: version ${entry.version}\nPin-Priority: 1001\n`,
    );
    this.write('preferences', pins.join('\n'));
  }

  /** Downloads the signed package lists from the archives that the host uses. */
  async update(): Promise<void> {
    const given = process.env.DEBIAN_ARCHIVE_URL;
    const archives = given ? [given] : sourcesOfHost(await runTool('apt-get', ['update', '--print-uris']));
    const reasons: string[] = [];
    for (const archive of archives) {
      const lines = suites.map((suite) => `deb [signed-by=${this.keyring}] ${archive} ${suite} main\n`);
      this.write('sources.list', lines.join(''));
      try {
        await this.apt('apt-get', ['update', '--error-on=any']);
        return;
      } catch (error) {
        reasons.push(error instanceof Error ? error.message : String(error));
      }
    }
    throw new StartError(
      [
        "Debian's sid cannot be read from the archives in apt's sources; DEBIAN_ARCHIVE_URL names another one.",
        ...reasons,
      ].join('\n'),
    );
  }

  /** Returns every package that Asterisk needs here, as resolved by apt. */
  async resolve(): Promise<DebianPackage[]> {
    const simulated = await this.apt('apt-get', ['install', '--simulate', 'asterisk']);
    const chosen = selections(simulated);
    const index = await this.apt('apt-cache', ['show', ...chosen.map(({ name, version }) => `${name}=${version}`)]);
    const entries = entriesOfIndex(index);
    return chosen.map(({ name, version, suite }) => {
      const entry = entries.find((candidate) => candidate.package === name && candidate.version === version);
      if (!entry) throw new StartError(`apt chose ${name} ${version}, but its index has no such entry`);
      return { ...entry, suite };
    });
  }

  /** Downloads packages. @returns the folder with the files */
  async download(packages: readonly DebianPackage[]): Promise<string> {
    const folder = path.join(this.folder, 'debs');
    const wanted = packages.map((entry) => `${entry.package}=${entry.version}`);
    if (wanted.length > 0) await this.apt('apt-get', ['download', ...wanted], folder);
    return folder;
  }

  private apt(command: string, args: readonly string[], cwd?: string): Promise<string> {
    return runTool(command, ['-c', path.join(this.folder, 'apt.conf'), ...args], cwd);
  }

  private write(name: string, text: string): void {
    writeFileSync(path.join(this.folder, name), text);
  }
}

function configuration(folder: string): string {
  const at = (name: string): string => JSON.stringify(path.join(folder, name));
  return [
    `Dir::State ${at('')};`,
    `Dir::State::Lists ${at('lists')};`,
    `Dir::State::status ${at('status')};`,
    `Dir::Cache ${at('cache')};`,
    // These files are named here because some hosts disable them, and then each command would build the index again.
    'Dir::Cache::pkgcache "pkgcache.bin";',
    'Dir::Cache::srcpkgcache "srcpkgcache.bin";',
    `Dir::Etc::sourcelist ${at('sources.list')};`,
    `Dir::Etc::preferences ${at('preferences')};`,
    'Dir::Etc::sourceparts "/dev/null";',
    'Dir::Etc::preferencesparts "/dev/null";',
    `APT::Default-Release "${suites[0]}";`,
    'APT::Install-Recommends "false";',
    // Signatures are required even if the host allows unsigned packages.
    'APT::Get::AllowUnauthenticated "false";',
    'Acquire::AllowInsecureRepositories "false";',
    'Acquire::AllowWeakRepositories "false";',
    'Acquire::AllowDowngradeToInsecureRepositories "false";',
    // Run as the caller, because apt's own user could not write to this folder.
    'APT::Sandbox::User "";',
    'Acquire::Languages "none";',
    // The host's hooks are meant for its own package lists.
    '#clear APT::Update::Pre-Invoke;',
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    '',
  ].join('\n');
}

/** The dpkg status entry that makes apt treat a dependency as installed in a sufficient version. */
function asInstalled(name: string): string {
  return [
    `Package: ${name}`,
    'Status: install ok installed',
    'Maintainer: none',
    'Architecture: all',
    'Multi-Arch: foreign',
    'Version: 999:0',
    'Description: left out\n\n',
  ].join('\n');
}
