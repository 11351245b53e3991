/**
 * npm run lint: types of everything that tsc -b does not build (tests, e2e, bench, scripts), ESLint, and the import rules. All checks run even if one fails, so
 * that one run shows every error.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['types', 'tsc', '-p', 'tsconfig.lint.json'],
  ['types of scripts', 'tsc', '-p', 'scripts/tsconfig.json'],
  ['types of pages', 'tsc', '-p', 'services/console/web/tsconfig.json'],
  ['eslint', 'eslint', '.', '--max-warnings', '0'],
  ['proto', 'buf', 'lint'],
  ['openapi', process.execPath, path.join(root, 'scripts/lint-documents.mts')],
  ['unused', 'knip'],
  [
    'words',
    'cspell',
    'lint',
    '--no-progress',
    '--quiet',
    '--dot',
    '**/*.{ts,tsx,mts,mjs,cjs,js,md,yaml,yml,tpl,css,html,proto}',
  ],
  [
    'imports',
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
    'libs',
    'services',
    'e2e',
    'bench',
    'chaos',
  ],
];

let failed = 0;
for (const [name, command, ...args] of steps) {
  const begin = performance.now();
  const { status } = spawnSync(path.resolve(root, 'node_modules/.bin', command), args, { cwd: root, stdio: 'inherit' });
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`lint: ${name} ${status === 0 ? 'ok' : 'FAILED'} in ${seconds} s`);
  if (status !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
