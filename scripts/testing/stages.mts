import { stripVTControlCharacters } from 'node:util';

/** The stages of `npm test`. */
const defaultStages = ['lint', 'unit', 'integration', 'e2e'] as const;
/** `chaos` runs only if it is named: its suites kill, freeze and restart processes, and take longer than all others together. */
const stageNames = [...defaultStages, 'chaos'] as const;
export type StageName = (typeof stageNames)[number];

export interface TestPlan {
  stages: StageName[];
  /** Passed to jest unchanged: path patterns and options. */
  jestArguments: string[];
}

/** Parses the arguments of `npm test`: first stages, then arguments for jest. If no stage is named, the default ones run. */
export function parseTestArguments(args: readonly string[]): TestPlan {
  const isStage = (name: string): name is StageName => (stageNames as readonly string[]).includes(name);
  const stages: StageName[] = [];
  let index = 0;
  for (let name = args[index]; name !== undefined && isStage(name); name = args[index]) {
    stages.push(name);
    index += 1;
  }
  return { stages: stages.length > 0 ? stages : [...defaultStages], jestArguments: args.slice(index) };
}

/** The result of a stage. A suite that could not run counts as one failure. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failures, each with the beginning of its message. They are printed again at the end, because the end of a long log is read first. */
  failures: readonly string[];
  /** The jest files that have a failure. */
  failedFiles: readonly string[];
  /** The failures of tests that passed when their file ran again alone. */
  unstable: readonly string[];
}

export const nothing: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], failedFiles: [], unstable: [] };

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
    failedFiles: [...a.failedFiles, ...b.failedFiles],
    unstable: [...a.unstable, ...b.unstable],
  };
}

/** More files than this do not fail for lack of CPU. */
const MOST_FILES_AGAIN = 4;

/** Whether the files with failures run a second time. A file that could not be run at all does not. */
export const runsAgain = ({ failed, failures, failedFiles }: Counts): boolean =>
  failed === failures.length && failedFiles.length > 0 && failedFiles.length <= MOST_FILES_AGAIN;

/** The result of a stage whose failed files ran again alone: what failed then has failed, what passed then is reported as unstable. */
export function afterRunningAgain(first: Counts, second: Counts): Counts {
  const nameOf = (text: string): string => text.split('\n', 1)[0] ?? text;
  const failed = new Set(second.failures.map(nameOf));
  const unstable = first.failures.filter((text) => !failed.has(nameOf(text)));
  return {
    ...first,
    passed: first.passed + unstable.length,
    failed: second.failed,
    failures: second.failures,
    failedFiles: second.failedFiles,
    unstable: unstable.map((text) => text.replace(/^FAILED/, 'UNSTABLE')),
  };
}

/** A failure's name and the first lines of its message, without colors and without stack frames of other packages. */
export function failure(name: string, message = ''): string {
  const lines = stripVTControlCharacters(message).split('\n');
  const telling = lines.filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line));
  return ['FAILED ' + name, ...telling.slice(0, 12).map((line) => `  ${line}`)].join('\n');
}

/** The last line of `npm test`. */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
