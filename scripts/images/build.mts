/** Builds the Dockerfile of this checkout with a base image made of Debian packages and the Node that runs this script. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { verify } from '../bootstrap/packages.mjs';
import type { Containers } from './tools.mts';

const root = path.resolve(import.meta.dirname, '../..');
const npm = 'npm@11.21.2';
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The file with the certificates that this machine trusts. */
const certificates = [process.env.NODE_EXTRA_CA_CERTS, '/etc/ssl/certs/ca-certificates.crt'].find(
  (file) => file !== undefined && existsSync(file),
);

/**
 * Creates a base image that replaces the official one, for which an image registry would be needed: Debian 12 without documentation, with this Node and npm.
 * Created only once.
 * @returns the name of the image
 */
export function baseImage(containers: Containers, folder: string): string {
  const name = `localhost/parley-node:${process.versions.node}`;
  if (containers.try('buildah', ['inspect', '--type', 'image', name]).code === 0) return name;
  const debian = path.join(folder, 'debian.tar');
  if (!existsSync(debian)) {
    const leaveOut = ['man', 'doc', 'locale'].map((what) => `--dpkgopt=path-exclude=/usr/share/${what}/*`);
    const making = `${debian}.part.tar`;
    execFileSync(
      'mmdebstrap',
      ['--quiet', '--variant=essential', '--include=ca-certificates,libstdc++6', ...leaveOut, 'bookworm', making],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    renameSync(making, debian);
  }
  const node = nodeAndNpm(path.join(folder, 'node'));
  const container = containers.run('buildah', ['from', 'scratch']);
  containers.run('buildah', ['add', '--quiet', container, debian, '/']);
  containers.run('buildah', ['add', '--quiet', container, node, '/']);
  containers.run('buildah', ['config', '--env', `PATH=${systemPath}`, container]);
  containers.run('buildah', ['commit', '--rm', '--quiet', container, name]);
  return name;
}

function nodeAndNpm(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  const bin = path.join(folder, 'usr/local/bin');
  const modules = path.join(folder, 'usr/local/lib/node_modules');
  mkdirSync(bin, { recursive: true });
  mkdirSync(modules, { recursive: true });
  copyFileSync(process.execPath, path.join(bin, 'node'));
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', modules, npm], {
    encoding: 'utf8',
  });
  const archive = path.join(modules, packed.trim().split('\n').at(-1) ?? '');
  verify(npm, readFileSync(archive));
  execFileSync('tar', ['xzf', archive, '-C', modules]);
  rmSync(archive);
  renameSync(path.join(modules, 'package'), path.join(modules, 'npm'));
  for (const name of ['npm', 'npx']) {
    chmodSync(path.join(modules, `npm/bin/${name}-cli.js`), 0o755);
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(bin, name));
  }
  return folder;
}

export function buildImage(containers: Containers, base: string, tag: string): void {
  const secrets = certificates === undefined ? [] : ['--secret', `id=certificates,src=${certificates}`];
  containers.run('buildah', [
    'build',
    // Layers that have not changed are reused.
    '--layers',
    '--isolation',
    'chroot',
    '--build-arg',
    `NODE_IMAGE=${base}`,
    '--build-arg',
    'REVISION=checkout',
    ...secrets,
    '--tag',
    tag,
    root,
  ]);
}
