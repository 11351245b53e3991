/** The programs that the trial needs: two callers, a voice, and a packet capture. Missing ones are installed with apt-get if possible. */
import { spawnSync } from 'node:child_process';
import { StartError } from '../../processes/program.mts';
import { findBinary } from '../../servers/binaries.mts';

/** The Debian package of each program. */
const packages = { sipp: 'sip-tester', baresip: 'baresip-core', flite: 'flite', tcpdump: 'tcpdump' };
type Tool = keyof typeof packages;
const tools = Object.keys(packages) as Tool[];

/** Returns the path of each program. @throws StartError with the command to install missing programs, if they cannot be installed */
export function requireTools(say: (text: string) => void): Record<Tool, string> {
  const missing = tools.filter((name) => !findBinary(name));
  if (missing.length > 0) install(missing, say);
  if (process.getuid?.() !== 0) throw new StartError('the trial records packets on the loopback: run it as root');
  return Object.fromEntries(tools.map((name) => [name, findBinary(name)])) as Record<Tool, string>;
}

function install(missing: readonly Tool[], say: (text: string) => void): void {
  const wanted = missing.map((name) => packages[name]);
  const apt = findBinary('apt-get');
  if (!apt || process.getuid?.() !== 0) {
    const command = `sudo apt-get update && sudo apt-get install ${wanted.join(' ')}`;
    throw new StartError(`${missing.join(', ')} not installed: ${command}`);
  }
  say(`installing ${wanted.join(', ')} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync(apt, ['update'], { env, stdio: 'ignore' });
  const args = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...wanted];
  const { status, stderr, stdout } = spawnSync(apt, args, { env, encoding: 'utf8' });
  if (status === 0 && missing.every((name) => findBinary(name))) return;
  const last = (stderr || stdout).trim().split('\n').slice(-8).join('\n');
  throw new StartError(`apt-get ${args.join(' ')} failed:\n${last}`);
}
