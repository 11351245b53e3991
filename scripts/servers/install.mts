/** NATS and Redis where the machine has none: apt-get when root on Debian or Ubuntu, else one message that names the command. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { StartError } from '../processes/program.mts';
import { findBinary } from './binaries.mts';

/** Binary → Debian package. */
const packages = { 'nats-server': 'nats-server', 'redis-server': 'redis-server' };
export type ServerBinary = keyof typeof packages;

/** The path of each binary; those that are missing are installed together, or the user is shown how. */
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

/** What decides who installs, and how. */
export interface Machine {
  platform: NodeJS.Platform;
  /** The path of apt-get, where there is one. */
  apt?: string;
  /** 0 is root. */
  uid?: number;
}

/** The path of apt-get where we may use it. @throws StartError that names the command for this machine, elsewhere */
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
  // RUNLEVEL=1 keeps init scripts from starting the packages' own daemons; ours run on private ports.
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
