/** Installs programs that are not dependencies of the platform with npm, into the folder of a run. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Installs without running the packages' install scripts. */
export async function installPackages(folder: string, ...packages: string[]): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error', '--prefix', folder];
  await run('npm', ['install', ...options, ...packages], { cwd: folder, timeout: 600_000 });
}

/** Runs a JavaScript file of an installed package until it ends, whatever its exit code. */
export async function runProgram(folder: string, file: string, args: readonly string[]): Promise<Outcome> {
  const program = path.join(folder, 'node_modules', file);
  try {
    const { stdout, stderr } = await run(process.execPath, [program, ...args], {
      cwd: folder,
      timeout: 90_000,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, HOME: folder },
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}
