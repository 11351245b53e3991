// The pinned Node, from the npm registry, for machines whose own is too old. Nothing outside .parley/ is touched.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { archives, fetchPackage } from './packages.mjs';
import { BootstrapError, step, workFolder } from './steps.mjs';

const pinned = '24.21.0';
/** Node runs our TypeScript as it is from here on. */
const oldest = [22, 19];
const modulesFolder = path.join(workFolder, 'node24/node_modules');

export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/** The path of the pinned node, fetched when it is not there. */
export async function pinnedNode() {
  const present = findPinned();
  if (present) return present;
  return withLock(path.join(workFolder, 'node.lock'), async () => {
    const arrived = findPinned();
    if (arrived) return arrived;
    await step(`node ${pinned}`, fetchNode);
    const fetched = findPinned();
    if (!fetched)
      throw new BootstrapError(`${tooOld()}, and it cannot be brought for ${process.platform}-${process.arch}`);
    return fetched;
  });
}

/** The package of the platform: the package `node` only chooses it, in an install script. */
async function fetchNode() {
  const name = `${platformPackage()}@${pinned}`;
  if (!(name in archives)) return;
  try {
    await fetchPackage(name, path.join(modulesFolder, platformPackage()));
  } catch (error) {
    throw new BootstrapError([`${tooOld()}, and Node ${pinned} could not be fetched.`, error.message].join('\n'));
  }
}

function tooOld() {
  return `Parley needs Node ${oldest.join('.')} or newer; this is ${process.versions.node} (https://nodejs.org/en/download)`;
}

function platformPackage() {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

function findPinned() {
  return [path.join(modulesFolder, platformPackage(), 'bin/node')].find(isPinned);
}

function isPinned(binary) {
  return existsSync(binary) && spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${pinned}`;
}

/** Runs the arguments with this node, as the one that PATH finds; signals are passed on. Returns the exit code. */
export function reexecute(node, args) {
  const PATH = [path.dirname(node), process.env.PATH].filter(Boolean).join(path.delimiter);
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, PATH } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}
