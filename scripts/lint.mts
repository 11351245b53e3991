/**
 * npm run lint: format, types of everything that tsc -b does not build (tests, e2e, bench, scripts), ESLint, and the import rules. All checks run even if one
 * fails, so that one run shows every error. Outside continuous integration the tools keep caches below .parley/lint. ESLint's cache knows only whether a file
 * itself has changed, so a rule about types may miss an error in a file that did not change; continuous integration lints without caches.
 */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const cached = process.env.CI === undefined;
const cacheOf = (name: string): string => path.join(root, '.parley/lint', name);

/** The option of a tool that keeps its cache in a file. */
const cache = (name: string): readonly string[] =>
  cached ? ['--cache', '--cache-strategy', 'content', '--cache-location', cacheOf(name)] : [];
const wordFiles = '**/*.{ts,tsx,mts,mjs,cjs,js,md,yaml,yml,tpl,css,html,proto}';
const types = (project: string, name: string): readonly string[] => [
  '-p',
  project,
  ...(cached ? ['--incremental', '--tsBuildInfoFile', cacheOf(name)] : []),
];

const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['eslint', 'eslint', '.', '--max-warnings', '0', ...cache('eslint')],
  ['format', 'prettier', '--check', '--log-level', 'warn', ...cache('prettier'), '.'],
  ['types', 'tsc', ...types('tsconfig.lint.json', 'types')],
  ['words', 'cspell', 'lint', '--no-progress', '--quiet', '--dot', ...cache('words'), wordFiles],
  ['types of scripts', 'tsc', ...types('scripts/tsconfig.json', 'scripts')],
  ['types of pages', 'tsc', '-p', 'services/console/web/tsconfig.json'],
  ['proto', 'buf', 'lint'],
  ['openapi', process.execPath, path.join(root, 'scripts/lint-documents.mts')],
  ['budget', process.execPath, path.join(root, 'scripts/budget.mts')],
  ['unused', 'knip'],
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

/** Two at once, the longest first. */
async function runAll(): Promise<number> {
  const waiting = [...steps];
  const lane = async (): Promise<number> => {
    let failed = 0;
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) if (!(await passes(step))) failed += 1;
    return failed;
  };
  const [first, second] = await Promise.all([lane(), lane()]);
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

// Tests that measure time may run next to it.
setPriority(10);
process.exitCode = (await runAll()) === 0 ? 0 : 1;
