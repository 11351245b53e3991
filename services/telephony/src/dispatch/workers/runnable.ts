import {
  browserCarrier,
  capabilityBlockers,
  isLineCarrier,
  missingCapabilities,
  neededCapabilities,
  type Blocker,
  type Dialer,
  needsOfChat,
  needsOnLine,
} from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import type { OutgoingContext } from '@parley/runtime';
import { takesLinesOf, whyNoAccount, type Network, linesOfProject } from '../../network';
import type { AgentSnapshot } from './agent-client';
import type { Telephony } from '../../telephony';
import type { CheckConfigurationRequest, CheckConfigurationResponse, Hindrance } from '@parley/proto/telephony';

const carrierNeed = 'carrier:';
/** The need of an agent that processes audio itself. */
const soundNeed = 'mode:external_audio';

/** The agent's current publication. Undefined if it no longer exists: the call then fails when it is assigned. */
export async function findPublication(
  { publications }: Pick<Telephony, 'publications'>,
  { organizationId, publicationSha256 }: Pick<AgentForCall, 'organizationId' | 'publicationSha256'>,
  context: OutgoingContext,
) {
  if (publicationSha256 === '') return undefined;
  return publications.loadFacts(organizationId, publicationSha256, context).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NotFoundError') return undefined;
    throw error;
  });
}

/** The capabilities that a worker needs for a call of the agent in the language, if one is given; without the carrier. */
export async function needsOfAgent(
  telephony: Pick<Telephony, 'publications'>,
  { agent, tools, workflow }: Pick<AgentSnapshot, 'agent' | 'tools' | 'workflow'>,
  language: string | undefined,
  context: OutgoingContext,
): Promise<string[]> {
  const publication = await findPublication(telephony, agent, context);
  return neededCapabilities({
    mode: agent.mode,
    publication,
    tools,
    workflow: workflow?.definition,
    language: language ?? '',
  });
}

/** Whose workers conduct the calls of a number; see `WorkerCapabilities`. */
const workersOf = (organizationId: string, dialer: Dialer): string => (dialer === 'own' ? organizationId : '');

/**
 * Why no worker can conduct a call with these needs: no worker declared them within seven days, or no credential of the number's carrier is stored. Workers
 * that are only absent at present are not a reason.
 * @param from the number that calls; undefined: any
 */
export async function whyNotRunnable(
  telephony: Pick<Telephony, 'db' | 'workers' | 'settings'> & Pick<Network, 'sip'>,
  organizationId: string,
  dialer: Dialer,
  needs: readonly string[],
  from?: string,
): Promise<Blocker[]> {
  const covered = (declared: readonly (readonly string[])[]) => missingCapabilities(needs, declared).length === 0;
  const missing = missingCapabilities(
    needs,
    await telephony.workers.declared(workersOf(organizationId, dialer), covered),
  );
  const need = needs.find((one) => one.startsWith(carrierNeed)) ?? '';
  const carrier = need.slice(carrierNeed.length);
  const blockers = capabilityBlockers(isOff(telephony, carrier, dialer) ? [...new Set([...missing, need])] : missing);
  if (carrier === 'simulator' && needs.includes(soundNeed) && !missing.includes(soundNeed)) {
    const detail =
      'calls of simulator numbers have no audio: agents of the mode external_audio need other lines, or test calls';
    blockers.push({ code: 'mode_unavailable', scope: 'mode', detail });
  }
  const detail = await whyNoAccount(telephony, organizationId, { carrier, dialer, from });
  if (detail !== undefined) blockers.push({ code: 'carrier_credential_missing', scope: 'carrier', detail });
  return blockers;
}

/** Whether this installation cannot use any number of a carrier, whatever its workers support: hosted lines need public addresses to place and answer calls. */
function isOff(
  telephony: Pick<Telephony, 'settings'> & Pick<Network, 'sip'>,
  carrier: string,
  dialer: Dialer,
): boolean {
  if (carrier === 'simulator') return !telephony.settings.simulator;
  return dialer === 'hosted' && isLineCarrier(carrier) && !takesLinesOf(telephony, carrier);
}

/** @throws AppError realtime_config_not_runnable with blockers */
export function refuseBlockers(blockers: readonly (Blocker | Hindrance)[]): void {
  const reason = blockers[0]?.code;
  if (reason === undefined) return;
  throw new AppError('realtime_config_not_runnable', 'the agent cannot run a call', {
    fields: { reason, blockers: blockers.map(({ code, scope, detail }) => ({ code, scope, detail })) },
  });
}

/** Workers that could conduct the call were seen within seven days, but none is present now. */
export class WorkersAway extends Error {
  constructor() {
    super('no available worker can conduct the call');
    this.name = 'WorkersAway';
  }
}

/** @throws WorkersAway */
export async function requireWorkers(
  { workers }: Pick<Telephony, 'workers'>,
  organizationId: string,
  dialer: Dialer,
  needs: readonly string[],
): Promise<void> {
  if (missingCapabilities(needs, await workers.present(workersOf(organizationId, dialer))).length > 0)
    throw new WorkersAway();
}

type Judging = Pick<Telephony, 'db' | 'workers' | 'settings'> & Pick<Network, 'sip'>;

/** Hosted workers and the organization's own workers may conduct calls without a number: one that covers the needs is enough. */
export async function whyNoWorker(
  telephony: Judging,
  organizationId: string,
  needs: readonly string[],
): Promise<Blocker[]> {
  const byHosted = await whyNotRunnable(telephony, organizationId, 'hosted', needs);
  const byOwn = byHosted.length === 0 ? [] : await whyNotRunnable(telephony, organizationId, 'own', needs);
  return byOwn.length < byHosted.length ? byOwn : byHosted;
}

/** Why no test call with these needs, which include those of the browser, can begin. */
export async function whyNoBrowser(
  telephony: Judging,
  organizationId: string,
  needs: readonly string[],
): Promise<Blocker[]> {
  const blockers = await whyNoWorker(telephony, organizationId, needs);
  if (telephony.settings.mediaPublicUrl !== undefined) return blockers;
  const detail = 'the platform has no public media address';
  return [...blockers, { code: 'address_missing', scope: 'address', detail }];
}

/** Why no chat with these needs, which are those of chats, can begin. */
export async function whyNoChat(
  telephony: Judging,
  organizationId: string,
  needs: readonly string[],
): Promise<Blocker[]> {
  const blockers = await whyNoWorker(telephony, organizationId, needs);
  if (!needs.includes(soundNeed)) return blockers;
  const detail = 'agents of the mode external_audio have no text';
  return [{ code: 'mode_unavailable', scope: 'mode', detail }, ...blockers];
}

/** What no worker of any of the dialers declared, on the kind of line that needs the least. */
async function undeclared(
  telephony: Judging,
  organizationId: string,
  dialers: ReadonlySet<Dialer>,
  needs: readonly string[],
): Promise<Blocker[]> {
  let fewest = needs;
  for (const wanted of [needs, needsOnLine(needs, browserCarrier).slice(0, -1)]) {
    for (const dialer of dialers) {
      const enough = (lists: readonly (readonly string[])[]) => missingCapabilities(wanted, lists).length === 0;
      const lists = await telephony.workers.declared(workersOf(organizationId, dialer), enough);
      const missing = missingCapabilities(wanted, lists);
      if (missing.length < fewest.length) fewest = missing;
    }
    if (fewest.length === 0) break;
  }
  return capabilityBlockers(fewest);
}

/**
 * Why calls with these needs cannot be conducted from the numbers of a project. Returns the blockers of the number that has the fewest. Without a number,
 * carriers are not considered.
 */
export async function checkConfiguration(
  telephony: Judging,
  organizationId: string,
  { projectId, needs, channels }: Pick<CheckConfigurationRequest, 'projectId' | 'needs' | 'channels'>,
): Promise<CheckConfigurationResponse> {
  let fewest: Blocker[] | undefined;
  const lines = await linesOfProject(telephony.db, organizationId, projectId);
  for (const { provider, dialer } of lines) {
    const wanted = provider === undefined ? needs : needsOnLine(needs, provider);
    const blockers = await whyNotRunnable(telephony, organizationId, dialer, wanted);
    if (fewest === undefined || blockers.length < fewest.length) fewest = blockers;
  }
  const dialers = new Set(lines.map(({ dialer }) => dialer));
  return {
    hindrances: fewest ?? [],
    translator: telephony.settings.translator,
    undeclared: await undeclared(telephony, organizationId, dialers, needs),
    browser: channels ? await whyNoBrowser(telephony, organizationId, needsOnLine(needs, browserCarrier)) : [],
    chat: channels ? await whyNoChat(telephony, organizationId, needsOfChat(needs)) : [],
    hasNumber: lines.some(({ provider }) => provider !== undefined),
  };
}
