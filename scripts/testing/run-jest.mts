/** Runs jest for one of the projects in jest.config.js, and counts the results. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { secondsOver } from '../budget.mts';
import { failure, nothing, type Counts } from './stages.mts';

/** The part of jest's JSON report that is used here. */
interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

const root = path.resolve(import.meta.dirname, '../..');

export async function runJest(project: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-jest-'));
  const report = path.join(folder, 'report.json');
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const options = ['--selectProjects', project, '--json', `--outputFile=${report}`];
  const code = await run(process.execPath, [jest, ...options, ...args], env);
  const counts = readReport(project, report);
  rmSync(folder, { recursive: true, force: true });
  // Jest also exits with an error if it finds no tests, and for errors of its own that its counts do not include.
  if (code === 0 || counts.failed > 0) return counts;
  return { ...counts, failed: 1, failures: [failure(`${project}: jest exited with ${code}`)] };
}

/** Runs a command in the same terminal. @returns its exit code */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', process.stderr, process.stderr] });
    const end = (): boolean => child.kill();
    process.once('exit', end);
    const done = (code: number): void => {
      process.removeListener('exit', end);
      resolve(code);
    };
    child.once('error', () => done(1));
    child.once('exit', (code) => done(code ?? 1));
  });
}

function readReport(project: string, file: string): Counts {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as JestReport;
    const failed = report.testResults.filter(({ status }) => status === 'failed');
    const slow = secondsOver(project, report).map((text) => failure(`budget: ${text}`));
    return {
      ...nothing,
      passed: report.numPassedTests,
      failed: report.numFailedTests + report.numRuntimeErrorTestSuites + slow.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failures: [...failed.flatMap(failuresOf), ...slow],
    };
  } catch {
    return nothing;
  }
}

function failuresOf({ name, message, assertionResults }: JestReport['testResults'][number]): string[] {
  const file = path.relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return [failure(file, message)];
  return failed.map(({ fullName, failureMessages }) => failure(`${file} › ${fullName}`, failureMessages[0]));
}
