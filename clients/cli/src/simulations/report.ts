/** The result of runs, for people and as JUnit XML, in which the test cases are the scenarios. */
import type { SimulationAssertion, SimulationRun } from '@parley/sdk';

export interface Outcome {
  /** The name of the suite; if it was not found, the requested id or file. */
  readonly suite: string;
  readonly run: SimulationRun | null;
  /** Why there is no report; null if there is one. */
  readonly error: string | null;
}

export const assertionText = ({ type, ...held }: SimulationAssertion): string =>
  [type, ...Object.entries(held).map(([field, value]) => `${field}=${JSON.stringify(value)}`)].join(' ');

interface Standing {
  readonly scenario: string;
  readonly conversations: number;
  readonly failures: readonly string[];
}

function standings({ results }: SimulationRun): Standing[] {
  return results.map(({ scenario, conversations, assertions }) => ({
    scenario,
    conversations,
    failures: assertions.flatMap(({ assertion, failed, detail }) =>
      failed === 0 ? [] : [`${assertionText(assertion)}: not in ${failed} of ${conversations}: ${detail}`],
    ),
  }));
}

export function textReport({ suite, run, error }: Outcome): string {
  if (run === null) return `${suite}: ${error}`;
  const scenarios = standings(run).flatMap(({ scenario, failures }) => [
    `  ${failures.length === 0 ? 'ok    ' : 'FAILED'}  ${scenario}`,
    ...failures.map((failure) => `          ${failure}`),
  ]);
  const differences = (run.differences ?? []).map(
    ({ change, scenario, assertion }) => `  ${change}: ${scenario}: ${assertionText(assertion)}`,
  );
  const held = `${run.done - run.failed} of ${run.done} conversations passed`;
  return [`${suite}: ${held} (${run.simulation_run_id})`, ...scenarios, ...differences].join('\n');
}

export function junitReport(outcomes: readonly Outcome[]): string {
  const suites = outcomes.map(junitSuite);
  const total = (name: 'tests' | 'failures' | 'errors'): number => suites.reduce((sum, one) => sum + one[name], 0);
  const counts = `tests="${total('tests')}" failures="${total('failures')}" errors="${total('errors')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="parley simulate" ${counts}>`,
    ...suites.map(({ xml }) => xml),
    '</testsuites>',
    '',
  ].join('\n');
}

function junitSuite({ suite, run, error }: Outcome): { xml: string; tests: number; failures: number; errors: number } {
  const name = attribute(suite);
  if (run === null)
    return {
      xml: `  <testsuite name="${name}" tests="1" failures="0" errors="1">\n    <testcase classname="${name}" name="runs"><error message="${attribute(error ?? '')}"/></testcase>\n  </testsuite>`,
      ...{ tests: 1, failures: 0, errors: 1 },
    };
  const cases = standings(run).map(({ scenario, failures }) => {
    const head = `    <testcase classname="${name}" name="${attribute(scenario)}"`;
    const [first] = failures;
    return first === undefined
      ? `${head}/>`
      : `${head}><failure message="${attribute(first)}">${escaped(failures.join('\n'))}</failure></testcase>`;
  });
  const failures = cases.filter((one) => !one.endsWith('"/>')).length;
  const seconds = (Date.parse(run.finished_at ?? run.created_at) - Date.parse(run.created_at)) / 1000;
  const properties = Object.entries({
    simulation_run_id: run.simulation_run_id,
    publication_version: run.publication_version,
    repetitions: run.repetitions,
    simulated_model: run.simulated_model,
  }).map(([property, value]) => `      <property name="${property}" value="${attribute(String(value))}"/>`);
  const head = `  <testsuite name="${name}" tests="${cases.length}" failures="${failures}" errors="0" time="${seconds}" timestamp="${run.created_at}">`;
  return {
    xml: [head, '    <properties>', ...properties, '    </properties>', ...cases, '  </testsuite>'].join('\n'),
    ...{ tests: cases.length, failures, errors: 0 },
  };
}

/** XML 1.0 cannot represent most control characters and incomplete surrogate pairs. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Line breaks in attributes are read as spaces unless they are written as references. */
const attribute = (text: string): string =>
  escaped(text)
    .replaceAll('"', '&quot;')
    .replaceAll(/[\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`);
