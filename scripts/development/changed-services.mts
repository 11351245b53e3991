/** Finds the services whose code has changed: their own, that of a library they use, or the generated clients. */
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from '../platform/options.mts';
import { serviceNames, type ServiceName } from '../platform/services.mts';

/** For each package folder, such as 'libs/runtime', a text that changes if its compiled files or SQL files change. */
export type Prints = Map<string, string>;

export function packageFolders(): string[] {
  return ['proto', ...globSync('{libs,services}/*/package.json', { cwd: root }).map(path.dirname)];
}

export function printsOf(folders: readonly string[]): Prints {
  return new Map(folders.map((folder) => [folder, printOf(folder)]));
}

/** The services that have to be restarted if the prints differ. */
export function changedServices(before: Prints, after: Prints): ServiceName[] {
  const changed = new Set(
    [...after].filter(([folder, print]) => before.get(folder) !== print).map(([folder]) => folder),
  );
  return serviceNames.filter((service) =>
    [...dependenciesOf(`services/${service}`)].some((folder) => changed.has(folder)),
  );
}

/** The package and all workspace packages that it depends on, directly or indirectly. */
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
  const files = globSync(['dist/**/*.js', 'schema.sql', 'sql/*.sql'], { cwd: path.join(root, folder) }).sort();
  return files
    .map((file) => {
      const stat = statSync(path.join(root, folder, file), { throwIfNoEntry: false });
      return `${file} ${stat?.mtimeMs} ${stat?.size}`;
    })
    .join('\n');
}
