// node scripts/bootstrap/pnpm.mjs <arguments>: runs the pinned pnpm, which comes from the registry by its hash.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { archives, fetchPackage } from './packages.mjs';
import { BootstrapError, root, workFolder } from './steps.mjs';

const version = '12.21.0';

/** The path of the pinned pnpm, fetched when it is not there; on systems for which no hash is known, the one on PATH if it has that version. */
export async function pinnedPnpm() {
  const name = `@pnpm/exe.${process.platform}-${process.arch}@${version}`;
  if (!(name in archives)) return onPath();
  const folder = path.join(workFolder, 'pnpm', version);
  const program = path.join(folder, 'pnpm');
  if (!existsSync(program)) await fetchPackage(name, folder);
  return program;
}

function onPath() {
  const { stdout } = spawnSync('pnpm', ['--version'], { encoding: 'utf8', cwd: root });
  if (stdout?.trim() === version) return 'pnpm';
  throw new BootstrapError(
    `pnpm ${version} cannot be brought for ${process.platform}-${process.arch}: install it (npm install --global pnpm@${version})`,
  );
}

if (import.meta.filename === process.argv[1]) {
  const { status } = spawnSync(await pinnedPnpm(), process.argv.slice(2), { cwd: root, stdio: 'inherit' });
  process.exit(status ?? 1);
}
