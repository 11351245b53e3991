import {
  callVariables,
  capabilityBlockers,
  catalogueFacts,
  effectiveTuning,
  missingCapabilities,
  nameOfTool,
  shownTool,
  simulationLimits,
  type CallTuning,
  type CatalogueDocument,
  type Publication,
  type RuntimeConfiguration,
  type SimulationScenario,
  type SimulationTarget,
  type VariablesConfig,
} from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { jsonOf, type CallContext } from '@parley/runtime';
import { findConfiguration } from '../extraction';
import type { SimulationDependencies } from './dependencies';
import { accountsFor, componentAccounts } from './job-credentials';
import { currentOffers } from './jobs.cross-tenant.sql';
import type { NewRun } from './runs.sql';
import { simulationError } from './simulation-error';
import { spokenNeeds, unspeakable } from './spoken-needs.rules';
import type { SuiteRow } from './suites.sql';

interface Tried extends Pick<
  NewRun,
  'publication_version' | 'publication_sha256' | 'simulated_model' | 'scenarios' | 'configuration' | 'extraction'
> {
  /** What a worker needs for the conversations; null: they have no sound. */
  readonly needs: readonly string[] | null;
}

interface Trying {
  readonly suite: SuiteRow;
  readonly scenarios: readonly SimulationScenario[];
  readonly target: SimulationTarget;
  readonly spoken: boolean;
  readonly context: CallContext;
}

/** A publication that is to be tried. */
interface Checking extends Trying {
  readonly publication: Publication;
  readonly version: number;
}

/**
 * Returns what a run pins of its agent, after checking that the scenarios can be run with it. Inactive agents can be tested too, because nothing is dialed.
 * @throws AppError NotFoundError if the agent was deleted; SimulationError; SuspensionError
 */
export async function triedAgent(dependencies: SimulationDependencies, trying: Trying): Promise<Tried> {
  const { suite, context, target, scenarios, spoken } = trying;
  const { organization_id: organizationId, agent_id: agentId } = suite;
  const question = { organizationId, agentId, target: target.type, version: target.version ?? 0 };
  const agent = await dependencies.agents.getAgentForSimulation(question, context).catch((error: unknown) => {
    throw asSimulationError(error, target);
  });
  if (agent.status === 'suspended') throw new AppError('SuspensionError', 'the agent is suspended');
  const [blocker] = agent.blockers;
  if (blocker !== undefined) throw simulationError(null, `${blocker.code}: ${blocker.detail}`);
  if (agent.mode !== 'hosted')
    throw simulationError(
      null,
      `mode_unavailable: simulations support only hosted agents; the mode of this agent is ${agent.mode}`,
    );
  const { publicationSha256: sha256 } = agent;
  const { content } = await dependencies.voiceStack.getPublication({ organizationId, sha256 }, context);
  const publication = jsonOf<Publication>(content);
  const version = agent.publicationVersion;
  const checking = { ...trying, publication, version };
  const needs = spoken ? await checkSpeech(dependencies, checking) : null;
  const simulated = checkModel(checking);
  await checkAccounts(dependencies, checking);
  const configuration = await loadConfiguration(dependencies, agent, publication, context);
  return {
    ...{ publication_version: version, publication_sha256: sha256, simulated_model: simulated, needs },
    scenarios: JSON.stringify(scenarios.map((scenario) => pinned(scenario, agent, publication))),
    configuration: JSON.stringify(spoken ? shortened(configuration) : configuration),
    extraction: await extractionFor(dependencies, trying),
  };
}

/** Converts the error for a target that does not exist: it is a problem of the run, because its suite and agent do exist. */
function asSimulationError(error: unknown, { type, version = 0 }: SimulationTarget): unknown {
  if (!(error instanceof AppError)) return error;
  if (type === 'version' && error.code === 'NotFoundError')
    return simulationError(null, `the agent has no publication ${version}`);
  return error.code === 'BadRequestError' ? simulationError(null, error.message) : error;
}

/** Returns whether the agent's model is the simulated one. Evaluating conversations and playing a caller require a real model. @throws AppError SimulationError */
function checkModel({ scenarios, publication }: Checking): boolean {
  if (accountsFor(publication, false).length > 0) return false;
  for (const { name, callee, assertions } of scenarios) {
    if (callee.type === 'persona') throw simulationError(name, 'model_needed: a script cannot play a persona');
    if (assertions.some(({ type }) => type === 'judged'))
      throw simulationError(name, 'model_needed: a script cannot judge by a rubric');
  }
  return true;
}

const nameOfKind = { llm: 'model', stt: 'transcriber', tts: 'voice' } as const;

/** @throws AppError SimulationError if there is no account for a component, or for none of its providers */
async function checkAccounts(
  dependencies: SimulationDependencies,
  { suite, publication, version, spoken, context }: Checking,
): Promise<void> {
  const needed = accountsFor(publication, spoken);
  const { organization_id: organizationId, agent_id: agentId } = suite;
  const accounts = await componentAccounts(dependencies, {
    ...{ organizationId, agentId, version, needed, purpose: 'simulation', context },
  });
  const lacking = needed.find(({ kind }) => !accounts.some((one) => one.kind === kind));
  if (lacking === undefined) return;
  const { kind, provider } = lacking;
  throw simulationError(null, `provider_unavailable: there is no account for the ${nameOfKind[kind]} of ${provider}`);
}

/** Returns what a worker needs to speak and to listen, after checking that one offers it. @throws AppError SimulationError */
async function checkSpeech(
  { db }: Pick<SimulationDependencies, 'db'>,
  { scenarios, publication }: Checking,
): Promise<readonly string[]> {
  const foreign = unspeakable(publication, scenarios);
  if (foreign !== undefined)
    throw simulationError(
      foreign.name,
      `voice_unavailable: the voice of callers speaks only English, not ${foreign.language}`,
    );
  const offers = await currentOffers(db);
  if (offers.length === 0)
    throw simulationError(
      null,
      'worker_unavailable: no worker conducts spoken conversations (SIMULATION_SPOKEN_CAPACITY)',
    );
  const needs = spokenNeeds(publication, scenarios);
  const [missing] = capabilityBlockers(missingCapabilities(needs, offers));
  if (missing !== undefined) throw simulationError(null, `${missing.code}: ${missing.detail}`);
  return needs;
}

/** Spoken conversations end earlier than calls, because they occupy a worker in real time. */
function shortened(configuration: RuntimeConfiguration): RuntimeConfiguration {
  const { effective } = configuration;
  const seconds = Math.min(effective.max_call_seconds, simulationLimits.spokenSeconds);
  return { ...configuration, effective: { ...effective, max_call_seconds: seconds } };
}

/** The scenario with the variables of its conversations. @throws AppError SimulationError */
function pinned(scenario: SimulationScenario, agent: AgentForCall, publication: Publication): SimulationScenario {
  const { name, language } = scenario;
  const spoken = [...publication.languages, publication.language].filter((one) => one !== '');
  const base = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
  if (language !== undefined && spoken.length > 0 && !spoken.some((one) => base(one) === base(language)))
    throw simulationError(name, `the agent does not speak ${language}`);
  const declared = agent.variables === undefined ? { variables: [] } : jsonOf<VariablesConfig>(agent.variables);
  try {
    return { ...scenario, variables: { ...callVariables(declared, scenario.variables ?? {}) } };
  } catch (error) {
    throw error instanceof AppError ? simulationError(name, error.message) : error;
  }
}

/** Loads the configuration of an outbound call without the features that simulations omit: phone menus are not navigated and nothing is recorded. */
async function loadConfiguration(
  { voiceStack }: SimulationDependencies,
  agent: AgentForCall,
  publication: Publication,
  context: CallContext,
): Promise<RuntimeConfiguration> {
  const stored = jsonOf<CallTuning>(agent.tuning);
  const tools = stored.tools.map(shownTool);
  const { catalogue } = await voiceStack.getCatalogue({}, context);
  const effective = effectiveTuning({
    ...{ channel: 'phone', direction: 'outbound', hosted: true, language: '', publication },
    tuning: stored,
    catalogue: catalogueFacts(jsonOf<CatalogueDocument>(catalogue)),
  });
  const navigation = { ...effective.navigation, effective: false, tools: [] };
  const tuning = { ...stored, tools: tools.filter((tool) => nameOfTool(tool) !== ''), recording_enabled: false };
  return { publication, tuning, effective: { ...effective, navigation }, variables: {}, mode: 'hosted' };
}

/** Returns the agent's extraction configuration if an assertion needs it. */
async function extractionFor({ db }: SimulationDependencies, { suite, scenarios }: Trying): Promise<string | null> {
  const [first] = scenarios.filter(({ assertions }) => assertions.some(({ type }) => type === 'extraction_equals'));
  if (first === undefined) return null;
  const found = await findConfiguration(db, suite.organization_id, suite.agent_id);
  if (found === undefined || found.document === null)
    throw simulationError(first.name, 'nothing is extracted from the calls of the agent');
  return found.document;
}
