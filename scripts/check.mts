/**
 * npm run check [-- --since <commit>]: quick checks of the files that differ from the last commit (or from the given one): format, ESLint, the budget, types of the whole
 * workspace from a cache, and the unit tests that depend on these files. Checks across packages, such as import rules, unused exports and the served documents,
 * are part of `npm run lint`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { changedFiles, type ChangedFiles } from './development/changed-files.mts';
import { run } from './testing/run-jest.mts';

const root = path.resolve(import.meta.dirname, '..');
const { since } = parseArgs({ options: { since: { type: 'string', default: 'HEAD' } } }).values;
const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);

const names = [
  ...git('diff', '--name-only', '-z', '--no-renames', since),
  ...git('ls-files', '--others', '--exclude-standard', '-z'),
];
const changed = changedFiles(names.filter((name) => existsSync(path.join(root, name))));

const bin = (name: string): string => path.join(root, 'node_modules/.bin', name);
/** The caches of types are those of `npm run lint`. */
const cache = (name: string): string => path.join(root, '.parley/lint', name);
const typesOf = (project: string, name: string): string[] => [
  '-p',
  project,
  '--incremental',
  '--tsBuildInfoFile',
  cache(name),
];

interface Check {
  readonly name: string;
  readonly files: readonly string[];
  readonly command: readonly [string, ...string[]];
}

const checksOf = ({ all, code, scripts, unit, scriptTests }: ChangedFiles): Check[] => [
  { name: 'types', files: code, command: [bin('tsc'), ...typesOf('tsconfig.lint.json', 'types')] },
  { name: 'eslint', files: code, command: [bin('eslint'), '--max-warnings', '0', '--no-warn-ignored', ...code] },
  { name: 'types of scripts', files: scripts, command: [bin('tsc'), ...typesOf('scripts/tsconfig.json', 'scripts')] },
  {
    name: 'unit tests',
    files: unit,
    command: [bin('jest'), '--selectProjects', 'unit', '--passWithNoTests', '--findRelatedTests', ...unit],
  },
  { name: 'format', files: all, command: [bin('prettier'), '--check', '--ignore-unknown', ...all] },
  { name: 'budget', files: all, command: [process.execPath, path.join(root, 'scripts/budget.mts')] },
  { name: 'tests of scripts', files: scriptTests, command: [process.execPath, '--test', ...scriptTests] },
];

/** Two at once, those that take longest first, because there is a line for each that says how it ended. */
const waiting = checksOf(changed).filter(({ files }) => files.length > 0);
async function lane(): Promise<number> {
  let failed = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const begin = performance.now();
    const [program, ...args] = next.command;
    const ended = await run(program, args);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`check: ${next.name} ${ended === 0 ? 'ok' : 'FAILED'} in ${seconds} s`);
    if (ended !== 0) failed += 1;
  }
  return failed;
}
const failed = (await Promise.all([lane(), lane()])).reduce((sum, one) => sum + one);
if (changed.all.length === 0) console.log(`check: nothing differs from ${since}`);
process.exit(failed === 0 ? 0 : 1);
