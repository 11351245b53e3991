import type {
  SimulationAssertion,
  SimulationConversation,
  SimulationDifference,
  SimulationScenario,
  SimulationScenarioResult,
  SimulationVerdict,
} from '@parley/contract';

/** The result of a conversation: a verdict for each assertion of its scenario. */
export interface JudgedConversation {
  /** The position of the scenario in the suite. */
  readonly scenario: number;
  readonly passed: boolean;
  readonly verdicts: readonly SimulationVerdict[];
}

/** Returns one verdict per assertion. An assertion for which the worker reported none has failed. */
export function completed(
  { assertions }: SimulationScenario,
  { verdicts }: Pick<SimulationConversation, 'verdicts'>,
): SimulationVerdict[] {
  const given = new Map(verdicts.map((verdict) => [verdict.assertion, verdict]));
  return assertions.map((_, position) => {
    const { passed = false, detail = 'was not judged' } = given.get(position) ?? {};
    return { assertion: position, passed, detail: passed ? '' : detail };
  });
}

/** Computes the results of each scenario and its assertions from its conversations. */
export function reportOf(
  scenarios: readonly SimulationScenario[],
  conversations: readonly JudgedConversation[],
): SimulationScenarioResult[] {
  const results = scenarios.map((scenario) => ({
    scenario: scenario.name,
    conversations: 0,
    passed: 0,
    failed: 0,
    assertions: scenario.assertions.map((assertion) => ({ assertion, failed: 0, detail: '' })),
  }));
  for (const { scenario, passed, verdicts } of conversations) {
    const result = results[scenario];
    if (result === undefined) continue;
    result.conversations += 1;
    if (passed) result.passed += 1;
    else result.failed += 1;
    for (const verdict of verdicts) {
      const standing = result.assertions[verdict.assertion];
      if (standing === undefined || verdict.passed) continue;
      if (standing.failed === 0) standing.detail = verdict.detail;
      standing.failed += 1;
    }
  }
  return results;
}

/** Returns the changes from `before` to `after`, for assertions that were evaluated in both. */
export function differencesOf(
  after: readonly SimulationScenarioResult[],
  before: readonly SimulationScenarioResult[],
): SimulationDifference[] {
  const earlier = standing(before);
  return [...standing(after)].flatMap(([key, now]): SimulationDifference[] => {
    const then = earlier.get(key);
    if (then === undefined || (then.failed === 0) === (now.failed === 0)) return [];
    const fixed = now.failed === 0;
    const { scenario, assertion } = now;
    return [{ scenario, assertion, change: fixed ? 'fixed' : 'regression', detail: fixed ? then.detail : now.detail }];
  });
}

interface Standing {
  readonly scenario: string;
  readonly assertion: SimulationAssertion;
  readonly failed: number;
  readonly detail: string;
}

/** Results by scenario and assertion. Identical assertions of a scenario are distinguished by their order. */
function standing(results: readonly SimulationScenarioResult[]): Map<string, Standing> {
  const found = new Map<string, Standing>();
  for (const { scenario, conversations, assertions } of results) {
    if (conversations === 0) continue;
    const seen = new Map<string, number>();
    for (const one of assertions) {
      const text = JSON.stringify(one.assertion);
      const nth = seen.get(text) ?? 0;
      seen.set(text, nth + 1);
      found.set(JSON.stringify([scenario, text, nth]), { scenario, ...one });
    }
  }
  return found;
}
