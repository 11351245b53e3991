/** Installs the packages of the clients with npm from their archives, in an empty folder outside this checkout. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../platform/options.mts';
import { installPackages } from './packages.mts';

let made: Promise<string> | undefined;

/** Installs once per run. @returns the folder, whose node_modules contains @parley/sdk and @parley/cli */
export function installedClients(folder: string): Promise<string> {
  return (made ??= install(path.join(folder, 'installed')));
}

async function install(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const name of ['typescript', 'cli']) {
    const pnpm = path.join(root, 'scripts/bootstrap/pnpm.mjs');
    const pack = ['--dir', path.join(root, 'clients', name), 'pack', '--pack-destination', folder];
    execFileSync(process.execPath, [pnpm, ...pack], { stdio: 'pipe' });
  }
  // Both at once, because the command line depends on a version of the SDK that is in no registry.
  await installPackages(folder, ...globSync('parley-*.tgz', { cwd: folder }).map((name) => `./${name}`));
  return folder;
}
