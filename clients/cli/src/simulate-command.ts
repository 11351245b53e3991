import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Parley, ParleyError, type SimulationTarget } from '@parley/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { environmentOf } from './agents/environments.js';
import { exitCodeOf, exitCodes, Failure, linesOf } from './failure.js';
import { note, show } from './output.js';
import { junitReport, textReport, type Outcome } from './simulations/report.js';
import { runSuite } from './simulations/run.js';
import { askedSuites, resolveSuite, type AskedSuite } from './simulations/suite-files.js';

interface SimulateOptions {
  readonly folder: string;
  readonly env: string;
  readonly repetitions: number;
  readonly against: SimulationTarget;
  readonly spoken: boolean;
  readonly baseline?: string;
  readonly junit?: string;
  readonly timeout: number;
}

const whole =
  (most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > most) throw new InvalidArgumentError(`1 to ${most}`);
    return value;
  };

function targetOf(text: string): SimulationTarget {
  if (text === 'draft' || text === 'published') return { type: text };
  if (/^[1-9]\d{0,9}$/.test(text)) return { type: 'version', version: Number(text) };
  throw new InvalidArgumentError('draft, published, or the number of a version');
}

export function addSimulateCommand(
  program: Command,
  { client, json, stop }: { client: (profile?: string) => Parley; json: () => { json?: boolean }; stop: AbortSignal },
): void {
  program
    .command('simulate')
    .argument('[suites...]', 'ids, files or folders; all of suites/ by default')
    .description(
      `try agents with suites of scenarios; ends with ${exitCodes.assertions} where an assertion did not hold`,
    )
    .option('--folder <folder>', 'where agents/ and the lock file are', '.')
    .option('--env <name>', 'an environment of parley.yaml; it has its own lock file', 'default')
    .option('--repetitions <n>', 'repetitions of each scenario', whole(500), 1)
    .option('--against <target>', 'draft, published, or a version', targetOf, { type: 'published' })
    .option('--spoken', 'run the conversations with audio, in real time', false)
    .option('--baseline <run_id>', 'an earlier run to compare with')
    .option('--junit <file>', 'write the report as JUnit XML')
    .option('--timeout <seconds>', 'limit of all runs together, after which they are canceled', whole(86_400), 1_800)
    .action(async (asked: string[], options: SimulateOptions) => {
      const { profile } = environmentOf(options.folder, options.env);
      const suites = askedSuites(options.folder, asked);
      if (options.baseline !== undefined && suites.length > 1)
        throw new Failure('usage', '--baseline requires exactly one suite');
      const late = new AbortController();
      const timer = setTimeout(
        () => late.abort(new Failure('api', `not over after ${options.timeout} s`)),
        options.timeout * 1_000,
      );
      const signal = AbortSignal.any([stop, late.signal]);
      const outcomes: Outcome[] = [];
      const codes: number[] = [];
      for (const suite of suites) {
        const { outcome, exitCode } = await simulate(client(profile), suite, options, signal);
        outcomes.push(outcome);
        codes.push(exitCode);
      }
      clearTimeout(timer);
      if (options.junit !== undefined) {
        mkdirSync(path.dirname(options.junit), { recursive: true });
        writeFileSync(options.junit, junitReport(outcomes));
      }
      show(outcomes, json(), () => outcomes.map(textReport).join('\n'));
      // A suite that could not run determines the exit code before one with failed assertions.
      const isFailure = (code: number): boolean => code !== 0 && code !== exitCodes.assertions;
      process.exitCode = codes.find(isFailure) ?? codes.find((code) => code !== 0) ?? 0;
    });
}

async function simulate(
  parley: Parley,
  asked: AskedSuite,
  { folder, env, repetitions, against, spoken, baseline }: SimulateOptions,
  signal: AbortSignal,
): Promise<{ outcome: Outcome; exitCode: number }> {
  let name = 'id' in asked ? asked.id : asked.file;
  try {
    signal.throwIfAborted();
    const suite = await resolveSuite(parley, asked, { folder, environment: env });
    name = suite.name;
    const run = await runSuite(parley, suite, {
      ...{ repetitions, target: against, spoken, baseline, signal },
      onProgress: ({ done, conversations, failed }) =>
        note(`${name}: ${done} of ${conversations}${failed === 0 ? '' : `, ${failed} failed`}`),
    });
    if (run.simulated_model) note(`${name}: a script answered instead of a language model`);
    return { outcome: { suite: name, run, error: null }, exitCode: run.passed ? 0 : exitCodes.assertions };
  } catch (error) {
    const lines = reasonOf(error);
    for (const line of lines) note(`${name}: ${line}`);
    // An interrupted run must not exit with 0.
    const exitCode = error instanceof Failure || error instanceof ParleyError ? exitCodeOf(error) : exitCodes.api;
    return { outcome: { suite: name, run: null, error: lines.join('; ') }, exitCode };
  }
}

function reasonOf(error: unknown): string[] {
  if (!(error instanceof ParleyError) || !error.is('SimulationError')) return linesOf(error);
  const { scenario, reason } = error.body;
  return [`cannot run: ${scenario === null ? 'the suite' : `scenario "${scenario}"`}: ${reason}`];
}
