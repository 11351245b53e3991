/** Installs NATS and Redis if the machine does not have them: with apt-get as root on Debian or Ubuntu; otherwise an error names the command. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { StartError } from '../processes/program.mts';
import { findBinary } from './binaries.mts';

/** The Debian package of each binary. */
const packages = { 'nats-server': 'nats-server', 'redis-server': 'redis-server' };
export type ServerBinary = keyof typeof packages;

/** Returns the path of each binary. Missing ones are installed together, or the user gets the command for it. */
export function requireBinaries<Name extends ServerBinary>(
  names: Name[],
  say: (text: string) => void,
): Record<Name, string> {
  const missing = names.filter((name) => !findBinary(name));
  if (missing.length > 0) {
    const { platform } = process;
    const apt = platform === 'linux' ? findBinary('apt-get') : undefined;
    install(installer(missing, { platform, apt, uid: process.getuid?.() }), missing, say);
  }
  return Object.fromEntries(names.map((name) => [name, findBinary(name)])) as Record<Name, string>;
}

/** The properties of the machine that determine how programs can be installed. */
export interface Machine {
  platform: NodeJS.Platform;
  /** The path of apt-get, if there is one. */
  apt?: string;
  /** 0 is root. */
  uid?: number;
}

/** Returns the path of apt-get if it can be used. @throws StartError with the command for this machine if not */
export function installer(missing: readonly ServerBinary[], { platform, apt, uid }: Machine): string {
  const wanted = missing.map((name) => packages[name]);
  const absent = `${missing.join(' and ')} is not installed`;
  if (platform === 'darwin') {
    const formulas = wanted.map((name) => name.replace('redis-server', 'redis'));
    throw new StartError(`${absent}: brew install ${formulas.join(' ')}`);
  }
  if (!apt) {
    throw new StartError(
      `${absent}: install ${wanted.join(' and ')} with your system's package manager, or set NATS_URL and REDIS_URL`,
    );
  }
  if (uid === 0) return apt;
  throw new StartError(`${absent}: sudo apt-get update && sudo apt-get install ${wanted.join(' ')}`);
}

function install(apt: string, missing: readonly ServerBinary[], say: (text: string) => void): void {
  const wanted = missing.map((name) => packages[name]);
  say(`installing ${wanted.join(' and ')} with apt-get`);
  // RUNLEVEL=1 prevents init scripts from starting the daemons of the packages. The platform starts its own on private ports.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [
    ['update'],
    ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...wanted],
  ]) {
    const { status, stderr, stdout } = spawnSync(apt, args, { env, encoding: 'utf8' });
    const isLast = args[0] === 'install';
    if (status !== 0 && isLast) {
      throw new StartError(
        `apt-get ${args.join(' ')} failed:\n${(stderr || stdout).trim().split('\n').slice(-8).join('\n')}`,
      );
    }
  }
  if (existsSync('/run/systemd/system')) {
    for (const name of wanted) spawnSync('systemctl', ['disable', '--now', `${name}.service`], { stdio: 'ignore' });
  }
  const absent = missing.filter((name) => !findBinary(name));
  if (absent.length > 0)
    throw new StartError(`apt-get installed ${wanted.join(', ')}, but ${absent.join(', ')} is not there`);
}
