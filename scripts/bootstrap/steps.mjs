// Steps of the bootstrap: commands that are quiet unless they fail, and one line for each with its seconds.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const workFolder = path.join(root, '.parley');

/** An error the user can fix: printed without a stack. */
export class BootstrapError extends Error {}

/** Runs one step and says how long it took. */
export async function step(name, work) {
  const begin = performance.now();
  await work();
  console.error(`${name.padEnd(10)} ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

/** Runs a command without output; when it fails, everything it said is in the error. */
export async function quietly(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => said.push(chunk));
  const forward = () => child.kill('SIGTERM');
  process.once('exit', forward);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      said.push(Buffer.from(error.message));
      resolve(1);
    });
    child.once('close', resolve);
  });
  process.removeListener('exit', forward);
  if (code !== 0)
    throw new BootstrapError(`${[command, ...args].join(' ')} failed:\n${Buffer.concat(said).toString().trim()}`);
}

/** What a step was done for last time; see fingerprints in prepare.mjs. */
export function readStamp(name) {
  try {
    return readFileSync(path.join(workFolder, 'stamps', name), 'utf8');
  } catch {
    return undefined;
  }
}

export function writeStamp(name, text) {
  mkdirSync(path.join(workFolder, 'stamps'), { recursive: true });
  writeFileSync(path.join(workFolder, 'stamps', name), text);
}

/**
 * Ends with the process that started this one. npm passes signals on, but nothing passes on its own death by SIGKILL.
 * Only under npm or under our own re-execution: a process put in the background by hand may outlive its shell.
 */
export function stopWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 1_000).unref();
}
