/**
 * npm run package [-- --version 0.2.0 --out FOLDER --image]: packs the chart for an OCI registry, and writes the SBOM and the licenses. With --image it also
 * builds the image of the Dockerfile as an OCI archive with buildah (Linux, as root; the base image is pulled from its registry). SHA256SUMS contains the
 * hashes. Nothing is pushed: docs/operating.md describes how to do that.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findHelm } from './chart/helm.mts';
import { Containers, whyNot } from './images/tools.mts';

const root = path.resolve(import.meta.dirname, '..');
const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const { values } = parseArgs({
  options: {
    version: { type: 'string', default: own.version },
    out: { type: 'string', default: path.join(root, '.parley/package') },
    image: { type: 'boolean', default: false },
  },
});
const out = path.resolve(values.out);
const { version } = values;

mkdirSync(out, { recursive: true });
for (const name of readdirSync(out).filter((one) => /^parley-.*\.(tgz|oci\.tar)$/.test(one)))
  rmSync(path.join(out, name));
const chart = path.join(root, 'charts/parley');
const named = ['--version', version, '--app-version', version, '--destination', out];
execFileSync(findHelm(), ['package', chart, ...named], { stdio: ['ignore', 'ignore', 'inherit'] });
execFileSync(process.execPath, [path.join(root, 'scripts/sbom.mts'), out], { stdio: ['ignore', 'ignore', 'inherit'] });
if (values.image) packImage(path.join(out, `parley-${version}.oci.tar`));
const files = readdirSync(out).filter((name) => name !== 'SHA256SUMS');
const sums = files.sort().map((name) => `${sha256(path.join(out, name))}  ${name}\n`);
writeFileSync(path.join(out, 'SHA256SUMS'), sums.join(''));
console.log(sums.join('').trimEnd());

function packImage(archive: string): void {
  const reason = whyNot((text) => console.error(text));
  if (reason !== undefined) throw new Error(`the image cannot be built here: ${reason}`);
  const containers = new Containers(path.join(root, '.parley/images'));
  const tag = `localhost/parley:${version}`;
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const build = ['--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${revision}`, '--tag', tag, root];
  containers.run('buildah', ['build', '--isolation', 'chroot', ...build]);
  containers.run('buildah', ['push', '--quiet', tag, `oci-archive:${archive}:${version}`]);
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
