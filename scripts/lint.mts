/**
 * npm run lint: types of everything that tsc -b does not build (tests, e2e, bench, scripts), ESLint, and the import rules. All checks run even if one fails, so
 * that one run shows every error.
 */
import { spawn } from 'node:child_process';
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

/** Two at once: ESLint alone takes as long as all other checks together. */
async function runAll(): Promise<number> {
  const waiting = steps.filter(([name]) => name !== 'eslint');
  const eslint = steps.filter(([name]) => name === 'eslint');
  const oneAfterAnother = async (some: typeof steps): Promise<number> => {
    let failed = 0;
    for (const step of some) if (!(await passes(step))) failed += 1;
    return failed;
  };
  const [first, second] = await Promise.all([oneAfterAnother(eslint), oneAfterAnother(waiting)]);
  return first + second;
}

/** Runs a check and prints its output as a whole, so that the outputs of two do not mix. */
async function passes([name, command, ...args]: (typeof steps)[number]): Promise<boolean> {
  const begin = performance.now();
  const child = spawn(path.resolve(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  process.stdout.write(output);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`lint: ${name} ${code === 0 ? 'ok' : 'FAILED'} in ${seconds} s`);
  return code === 0;
}

process.exitCode = (await runAll()) === 0 ? 0 : 1;
