import { calleeOf } from './callee-of-scenario';
import { judge, type Verdict } from './judge';
import { SimulationError, type Scenario, type SimulatedAgent } from './scenario';
import { simulate, type Conversation, type SimulationTools } from './simulate';

export interface ScenarioResult extends Conversation {
  readonly scenario: string;
  /** From 1 on. */
  readonly repetition: number;
  readonly passed: boolean;
  readonly verdicts: readonly Verdict[];
}

export interface SuiteReport {
  readonly passed: boolean;
  readonly results: readonly ScenarioResult[];
}

const mostRegexLength = 500;

/**
 * Runs every scenario as often as wanted, one after the other.
 * @throws SimulationError before the first one where a scenario cannot run as asked
 */
export async function runSuite(
  agent: SimulatedAgent,
  scenarios: readonly Scenario[],
  repetitions: number,
  tools: SimulationTools,
): Promise<SuiteReport> {
  for (const scenario of scenarios) checkScenario(scenario, scenarios);
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    for (let repetition = 1; repetition <= repetitions; repetition += 1) {
      const conversation = await simulate(agent, scenario, tools);
      const verdicts = judge(conversation, scenario.assertions);
      const passed = verdicts.every((verdict) => verdict.passed);
      results.push({ scenario: scenario.name, repetition, passed, verdicts, ...conversation });
    }
  }
  return { passed: results.every((result) => result.passed), results };
}

function checkScenario(scenario: Scenario, all: readonly Scenario[]): void {
  const { name, assertions } = scenario;
  calleeOf(scenario);
  if (all.filter((one) => one.name === name).length > 1) throw new SimulationError(name, 'its name is given twice');
  if (assertions.length === 0) throw new SimulationError(name, 'it asserts nothing');
  for (const assertion of assertions) {
    if (assertion.type !== 'said_matching') continue;
    if (assertion.pattern.length > mostRegexLength) throw new SimulationError(name, 'a pattern is too long');
    try {
      new RegExp(assertion.pattern, 'iu');
    } catch {
      throw new SimulationError(name, `${assertion.pattern} is no regular expression`);
    }
  }
}

/** An assertion that stands otherwise in another report of the same suite. */
export interface Difference {
  readonly scenario: string;
  readonly assertion: Verdict['assertion'];
  readonly change: 'regression' | 'fixed';
  readonly detail: string;
}

/** What changed from `before` to `after`: an assertion holds in a report where it holds in every repetition. */
export function differencesOf(after: SuiteReport, before: SuiteReport): Difference[] {
  const earlier = standing(before);
  return [...standing(after)].flatMap(([key, now]): Difference[] => {
    const then = earlier.get(key);
    if (then === undefined || then.passed === now.passed) return [];
    const change = now.passed ? 'fixed' : 'regression';
    return [
      { scenario: now.scenario, assertion: now.assertion, change, detail: now.passed ? then.detail : now.detail },
    ];
  });
}

function standing({ results }: SuiteReport): Map<string, Verdict & { readonly scenario: string }> {
  const found = new Map<string, Verdict & { readonly scenario: string }>();
  for (const { scenario, verdicts } of results) {
    for (const [nth, verdict] of verdicts.entries()) {
      const key = `${scenario}\n${nth}\n${JSON.stringify(verdict.assertion)}`;
      const earlier = found.get(key);
      if (earlier === undefined || earlier.passed) found.set(key, { scenario, ...verdict });
    }
  }
  return found;
}
