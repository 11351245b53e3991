import { simulationLimits, type SimulationImport, type SimulationScenario, type Transcript } from '@parley/contract';
import { AppError, conflict, notFound } from '@parley/errors';
import { isId, jsonOf, serviceCaller } from '@parley/runtime';
import type { PublicResult } from '@parley/service';
import type { SimulationDependencies } from './dependencies';
import { simulationError } from './simulation-error';
import { changeSuite, ownerOfSuite, storedScenarios, type AskedOfSuite } from './suites';
import { findSuite } from './suites.sql';

const longestTurn = 1_000;
const mostTurns = 50;

/**
 * Adds a scenario in which the other party says the same as in a call of the suite's agent, with the results of the call's tools as stubs. Its only assertion
 * is about how the conversation ends; customers add further ones.
 * @throws AppError NotFoundError for a call without a transcript, or one of another agent or organization; SimulationError if the other party said nothing;
 * ConflictError
 */
export async function importScenario(
  dependencies: SimulationDependencies,
  request: AskedOfSuite & { readonly body: () => SimulationImport },
): Promise<PublicResult> {
  const { db, telephony } = dependencies;
  const organizationId = await ownerOfSuite(db, request);
  const suite = await findSuite(db, organizationId, request.suiteId);
  if (suite === undefined) throw notFound('simulation suite');
  const { call_id: callId, name = callId } = request.body();
  const asked = { organizationId, callId, revision: 0 };
  const context = { ...request.context, caller: serviceCaller };
  const call = isId('call', callId) ? await telephony.readForExtraction(asked, context).catch(unlessGone) : undefined;
  if (call === undefined || call.agentId !== suite.agent_id) throw notFound('call');
  const scenario = scenarioOf(name, jsonOf<Transcript>(call.transcript), call.endedReason);
  return changeSuite(dependencies, { ...request, ifMatch: '' }, (row) => {
    const scenarios = JSON.parse(row.scenarios) as SimulationScenario[];
    if (scenarios.length >= simulationLimits.scenarios)
      throw conflict(`the suite already has ${simulationLimits.scenarios} scenarios, the maximum`);
    return { name: row.name, scenarios: storedScenarios([...scenarios, scenario]) };
  });
}

function unlessGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'NotFoundError') return undefined;
  throw error;
}

function scenarioOf(name: string, { language, turns }: Transcript, endedReason: string): SimulationScenario {
  const heard = turns.filter(({ speaker, text }) => speaker !== 'agent' && text.trim() !== '');
  if (heard.length === 0) throw simulationError(name, 'the other party said nothing in the call');
  const stubs = new Map<string, NonNullable<SimulationScenario['stubs']>[number]>();
  for (const { name: tool, result, outcome } of turns.flatMap(({ tool_calls: calls = [] }) => calls)) {
    if (stubs.has(tool) || tool.length > 64) continue;
    const failed = outcome === 'timeout' ? 'timeout' : outcome === 'succeeded' ? undefined : 'failed';
    stubs.set(tool, { name: tool, result: objectOf(result), ...(failed !== undefined && { outcome: failed }) });
  }
  return {
    name,
    callee: { type: 'script', turns: heard.slice(0, mostTurns).map(({ text }) => text.slice(0, longestTurn)) },
    ...(typeof language === 'string' && language !== '' && { language }),
    assertions: [assertionFor(endedReason)],
    ...(stubs.size > 0 && { stubs: [...stubs.values()].slice(0, 32) }),
  };
}

/** Asserts that the agent hangs up if it ended or transferred the imported call, and otherwise that the callee does. */
const assertionFor = (endedReason: string): SimulationScenario['assertions'][number] =>
  ['agent_hung_up', 'transferred'].includes(endedReason)
    ? { type: 'ended_reason', is: 'agent_hung_up' }
    : { type: 'ended_reason', is: 'callee_hung_up' };

function objectOf(result: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(result);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return { result: value };
  } catch {
    return { result };
  }
}
