import { stripVTControlCharacters } from 'node:util';

/** The stages of `npm test`. */
const gateStages = ['lint', 'unit', 'integration', 'e2e'] as const;
/** The stages of `npm run test:full`. `chaos` kills, freezes and restarts processes. */
const stageNames = [...gateStages, 'chaos'] as const;
export type StageName = (typeof stageNames)[number];

export interface TestPlan {
  /** Also runs the files named `*.full.*`, and every example of the OpenAPI document must have been sent or received. */
  full: boolean;
  stages: StageName[];
  /** Passed to jest unchanged: path patterns and options. */
  jestArguments: string[];
}

/** Parses the arguments of `npm test`: `--full`, then stages, then arguments for jest. If no stage is named, those of the gate run, or all with `--full`. */
export function parseTestArguments([first, ...rest]: readonly string[]): TestPlan {
  const full = first === '--full';
  const args = full || first === undefined ? rest : [first, ...rest];
  const isStage = (name: string): name is StageName => (stageNames as readonly string[]).includes(name);
  const stages: StageName[] = [];
  let index = 0;
  for (let name = args[index]; name !== undefined && isStage(name); name = args[index]) {
    stages.push(name);
    index += 1;
  }
  if (stages.length === 0) stages.push(...(full ? stageNames : gateStages));
  return { full, stages, jestArguments: args.slice(index) };
}

/** The result of a stage. A suite that could not run counts as one failure. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failures, each with the beginning of its message. They are printed again at the end, because the end of a long log is read first. */
  failures: readonly string[];
}

export const nothing: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
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
