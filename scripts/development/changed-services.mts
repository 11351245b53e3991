/** Which services run code that has changed: their own, that of a lib they use, or the generated clients. */
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from '../platform/options.mts';
import { serviceNames, type ServiceName } from '../platform/services.mts';

/** Package folder, such as 'libs/runtime', to a text that changes with its compiled files and migrations. */
export type Prints = Map<string, string>;

export function packageFolders(): string[] {
  return ['proto', ...globSync('{libs,services}/*/package.json', { cwd: root }).map(path.dirname)];
}

export function printsOf(folders: readonly string[]): Prints {
  return new Map(folders.map((folder) => [folder, printOf(folder)]));
}

/** The services to restart if these two differ. */
export function changedServices(before: Prints, after: Prints): ServiceName[] {
  const changed = new Set(
    [...after].filter(([folder, print]) => before.get(folder) !== print).map(([folder]) => folder),
  );
  return serviceNames.filter((service) =>
    [...dependenciesOf(`services/${service}`)].some((folder) => changed.has(folder)),
  );
}

/** The package itself and every package of the workspace that it reaches. */
function dependenciesOf(folder: string, seen = new Set<string>()): Set<string> {
  if (seen.has(folder)) return seen;
  seen.add(folder);
  const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (!name.startsWith('@parley/')) continue;
    const short = name.slice('@parley/'.length);
    dependenciesOf(short === 'proto' ? short : `libs/${short}`, seen);
  }
  return seen;
}

function printOf(folder: string): string {
  const files = globSync(['dist/**/*.js', 'migrations/*.sql'], { cwd: path.join(root, folder) }).sort();
  return files
    .map((file) => {
      const stat = statSync(path.join(root, folder, file), { throwIfNoEntry: false });
      return `${file} ${stat?.mtimeMs} ${stat?.size}`;
    })
    .join('\n');
}
