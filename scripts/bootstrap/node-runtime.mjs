// The pinned Node, from the npm registry, for machines whose own is too old. Nothing outside .parley/ is touched.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { BootstrapError, quietly, step, workFolder } from './steps.mjs';

const pinned = '24.21.0';
/** Node runs our TypeScript as it is from here on. */
const oldest = [22, 19];

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
      throw new BootstrapError(`${tooOld()}, and the registry has none for ${process.platform}-${process.arch}`);
    return fetched;
  });
}

/**
 * The package `node` only chooses the package of the platform in an install script, and newer npm runs none. So the platform's
 * package is asked for by name, and `node` itself where there is none of that name.
 */
async function fetchNode() {
  const folder = path.join(workFolder, 'node24');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const attempts = [['--ignore-scripts', `${platformPackage()}@${pinned}`], [`node@${pinned}`]];
  const faults = [];
  for (const attempt of attempts) {
    const args = [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      ...attempt,
    ];
    try {
      await quietly('npm', args, { cwd: folder, env: environmentOfNpm() });
    } catch (error) {
      faults.push(error.message);
    }
    if (findPinned()) return;
    rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
  }
  throw new BootstrapError([`${tooOld()}, and Node ${pinned} could not be fetched.`, ...faults].join('\n'));
}

function tooOld() {
  return `Parley needs Node ${oldest.join('.')} or newer; this is ${process.versions.node} (https://nodejs.org/en/download)`;
}

function platformPackage() {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

function findPinned() {
  const modules = path.join(workFolder, 'node24/node_modules');
  const candidates = ['node', platformPackage(), `node/node_modules/${platformPackage()}`];
  return candidates.map((name) => path.join(modules, name, 'bin/node')).find(isPinned);
}

function isPinned(binary) {
  return existsSync(binary) && spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${pinned}`;
}

/** Our own environment without what the outer npm tells about the outer project. */
function environmentOfNpm() {
  const foreign = /^npm_(package_|lifecycle_|config_(local_)?prefix$|config_global)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/** Runs the arguments with this node, as the one that PATH finds; signals are passed on. Answers the exit code. */
export function reexecute(node, args) {
  const PATH = [path.dirname(node), process.env.PATH].filter(Boolean).join(path.delimiter);
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, PATH } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}
