/**
 * The scale: how large Parley is, compared with budget.json (docs: CONTRIBUTING.md). Part of `npm run lint` and `npm run check`; `--print` shows the present
 * sizes. `npm test` compares the seconds of tests after each stage, and keeps them, also by file, in .parley/test-seconds.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

interface Budget {
  readonly source_lines: number;
  readonly source_files: number;
  readonly document_words: number;
  readonly routes: number;
  readonly mcp_tools: number;
  /** By package and kind of tests, such as `services/agents integration`, summed over its files. What is not named has no limit. */
  readonly test_seconds: Readonly<Record<string, number>>;
}
type Sizes = Omit<Budget, 'test_seconds'>;

const readBudget = (): Budget => JSON.parse(readFileSync(path.join(root, 'budget.json'), 'utf8')) as Budget;

/** What is larger than its budget, one sentence each. */
export const over = (measured: Readonly<Record<string, number>>, budget: Readonly<Record<string, number>>): string[] =>
  Object.entries(measured).flatMap(([name, size]) => {
    const most = budget[name] ?? Infinity;
    return size > most ? [`${name}: ${size}, and budget.json allows ${most}`] : [];
  });

/** With what is not committed yet, so that `npm run check` counts it. */
const files = (...patterns: string[]): string[] => {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  const names = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return names.filter((name) => existsSync(path.join(root, name)));
};

const textOf = (names: readonly string[]): string =>
  names.map((name) => readFileSync(path.join(root, name), 'utf8')).join('');

async function measure(): Promise<Sizes> {
  const sources = files('services/*/src/*.ts', 'libs/*/src/*.ts').filter(
    (name) => !/test|\/gen\/|console\/web/.test(name),
  );
  const { allRoutes } = await import('@parley/contract');
  const { isTool } = await import('../services/gateway/dist/mcp/tool.js');
  return {
    source_lines: textOf(sources).split('\n').length - 1,
    source_files: sources.length,
    document_words: textOf(files('*.md')).split(/\s+/).filter(Boolean).length,
    routes: allRoutes.length,
    mcp_tools: allRoutes.filter(isTool).length,
  };
}

/** The part of Jest's report that has the times, in milliseconds. */
interface Times {
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

export function secondsOf(kind: string, { testResults }: Times): Record<string, number> {
  const seconds: Record<string, number> = {};
  for (const { name, startTime, endTime } of testResults) {
    const [owner] = /^(?:libs|services)\/[^/]+/.exec(path.relative(root, name)) ?? [];
    if (owner !== undefined)
      seconds[`${owner} ${kind}`] = (seconds[`${owner} ${kind}`] ?? 0) + (endTime - startTime) / 1000;
  }
  return Object.fromEntries(Object.entries(seconds).map(([name, sum]) => [name, Math.round(sum)]));
}

/** The seconds of each file, the longest first. */
function secondsOfFiles({ testResults }: Times): Record<string, number> {
  const times = testResults.map(({ name, startTime, endTime }) => ({
    name: path.relative(root, name),
    seconds: Math.round((endTime - startTime) / 1000),
  }));
  return Object.fromEntries(times.sort((a, b) => b.seconds - a.seconds).map(({ name, seconds }) => [name, seconds]));
}

/** What took longer than its budget in a run of Jest. */
export function secondsOver(kind: string, report: Times): string[] {
  const seconds = secondsOf(kind, report);
  const folder = path.join(root, '.parley/test-seconds');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${kind}.json`), JSON.stringify(seconds, null, 2));
  writeFileSync(path.join(folder, `${kind}-files.json`), JSON.stringify(secondsOfFiles(report), null, 2));
  return over(seconds, readBudget().test_seconds);
}

if (import.meta.main) {
  const sizes = await measure();
  const { test_seconds: _, ...budget } = readBudget();
  const found = over({ ...sizes }, { ...budget });
  if (process.argv.includes('--print')) console.log(JSON.stringify(sizes, null, 2));
  for (const text of found) console.error(`budget: ${text}`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
