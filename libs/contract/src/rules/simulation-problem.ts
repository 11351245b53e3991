import type { SimulationScenario } from '../objects/simulation-scenario';

/** Why a scenario cannot be run although it is well-formed. */
export interface SimulationProblem {
  /** The name of the scenario; null if the problem concerns the whole suite. */
  readonly scenario: string | null;
  readonly reason: string;
}

/**
 * The first requirement of the scenarios that conversations cannot fulfill, or that conflicts with another one; undefined if there is none.
 * @param spoken whether the conversations have sound
 */
export function simulationProblem(
  scenarios: readonly SimulationScenario[],
  spoken: boolean,
): SimulationProblem | undefined {
  const names = new Set<string>();
  for (const scenario of scenarios) {
    const { name } = scenario;
    const reason = names.has(name) ? 'its name is given twice' : reasonOf(scenario, spoken);
    if (reason !== undefined) return { scenario: name, reason };
    names.add(name);
  }
  return undefined;
}

function reasonOf(
  { callee, conditions = [], assertions, stubs = [] }: SimulationScenario,
  spoken: boolean,
): string | undefined {
  const turns = callee.turns ?? [];
  const has = (condition: (typeof conditions)[number]): boolean => conditions.includes(condition);
  if (has('noise') && !spoken) return 'noise needs a spoken run';
  if (has('voicemail') && (has('menu') || has('silence') || has('interruptions')))
    return 'a mailbox has no menu, is not silent and does not interrupt';
  if (has('silence') && (has('menu') || has('interruptions')))
    return 'a silent callee has no menu and does not interrupt';
  if (callee.type === 'persona') {
    if (conditions.length > 0) return 'conditions go with a script';
    if (turns.length > 0) return 'turns go with a script';
    if (callee.persona === undefined && callee.goal === undefined) return 'a persona needs persona or goal';
  } else {
    if (callee.persona !== undefined || callee.goal !== undefined || callee.style !== undefined)
      return 'persona, goal and style go with a persona';
    if (turns.length === 0 && !has('silence') && !has('voicemail')) return 'a callee that is not silent needs turns';
  }
  if (assertions.length === 0) return 'it asserts nothing';
  if (new Set(stubs.map((stub) => stub.name)).size < stubs.length) return 'a tool has two stubs';
  for (const { type, pattern = '' } of assertions)
    if (type === 'said_matching' && !isPattern(pattern)) return `${pattern} is not a regular expression`;
  return undefined;
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'iu');
    return true;
  } catch {
    return false;
  }
}
