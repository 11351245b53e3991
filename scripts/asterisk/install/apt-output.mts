/** Parsers for apt's output. */
import type { DebianPackage } from './lock-file.mts';

/**
 * Returns the base addresses of the archives in the host's package sources, from `apt-get update --print-uris`: so apt itself parses both formats of its
 * sources. Addresses of security updates, which have no sid, come last.
 */
export function sourcesOfHost(printed: string): string[] {
  const found = [...printed.matchAll(/^'(\S+?)\/dists\/([^/'\s]+)\/(?:In)?Release'/gm)];
  const isMain = (suite: string): boolean => !suite.includes('-');
  const ordered = [...found].sort((a, b) => Number(isMain(b[2] ?? '')) - Number(isMain(a[2] ?? '')));
  return [...new Set(ordered.map(([, base]) => base ?? ''))];
}

export interface Selection {
  name: string;
  version: string;
  suite: string;
}

/** The packages that `apt-get install --simulate` would install, from lines such as `Inst zlib1g (1:1.3.2-4 Debian:unstable [amd64])`. */
export function selections(simulated: string): Selection[] {
  return [...simulated.matchAll(/^Inst (\S+) (?:\[[^\]]*\] )?\((\S+) (\S+)/gm)].map(([, name, version, release]) => ({
    name: name ?? '',
    version: version ?? '',
    suite: release?.endsWith(':unstable') ? 'sid' : 'trixie',
  }));
}

/** Parses the entries that `apt-cache show` prints. */
export function entriesOfIndex(shown: string): Omit<DebianPackage, 'suite'>[] {
  return shown
    .split(/\n\n+/)
    .filter((entry) => entry.includes('Package: '))
    .map((entry) => {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(entry)?.[1] ?? '';
      return {
        package: field('Package'),
        version: field('Version'),
        architecture: field('Architecture'),
        size: Number(field('Size')),
        sha256: field('SHA256'),
      };
    });
}
