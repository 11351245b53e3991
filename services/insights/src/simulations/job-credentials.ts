import {
  neededAccounts,
  type LeasedCredential,
  type NeededAccount,
  type Publication,
  type RuntimeConfiguration,
  type SimulationCredentials,
} from '@parley/contract';
import { serviceCaller, type CallContext } from '@parley/runtime';
import type { PublicResult } from '@parley/service';
import type { SimulationDependencies } from './dependencies';
import { runsToHave } from './jobs.cross-tenant.sql';
import { leasedJob, type JobReport } from './report-job';
import { findRun } from './runs.sql';

/**
 * Returns accounts for the components of a leased job: the credential that the publication binds, otherwise the organization's standby credential for the
 * provider, otherwise the account of the installation.
 * @throws AppError NotFoundError; ConflictError for a stale epoch
 */
export async function openJobCredentials(
  dependencies: SimulationDependencies,
  request: Pick<JobReport, 'organizationId' | 'jobId' | 'context'> & { readonly epoch: () => number },
): Promise<PublicResult> {
  const { db } = dependencies;
  const { context } = request;
  const job = await db.transaction((tx) => leasedJob(tx, request, request.epoch));
  const run = await findRun(db, job.organization_id, job.simulation_run_id);
  const [{ configuration } = { configuration: '{}' }] = await runsToHave(db, [job.simulation_run_id]);
  const { publication } = JSON.parse(configuration) as Partial<RuntimeConfiguration>;
  const components =
    run === undefined || publication === undefined
      ? []
      : await componentAccounts(dependencies, {
          ...{ organizationId: run.organization_id, agentId: run.agent_id, version: run.publication_version },
          ...{ needed: accountsFor(publication, run.spoken), purpose: 'simulation', context },
        });
  // The account of the installation is only returned to workers that the installation hosts.
  const given = components.filter((one) => request.organizationId === '' || one.component_credential_id !== null);
  return { body: { components: given } satisfies SimulationCredentials };
}

interface Wanted {
  readonly organizationId: string;
  readonly agentId: string;
  /** The version of the publication; 0: the agent's current bindings apply. */
  readonly version: number;
  readonly needed: readonly NeededAccount[];
  readonly purpose: string;
  readonly context: CallContext;
}

/** Returns the needed accounts that there are. */
export async function componentAccounts(
  { agents, models }: Pick<SimulationDependencies, 'agents' | 'models'>,
  { organizationId, agentId, version, needed, purpose, context }: Wanted,
): Promise<LeasedCredential[]> {
  if (needed.length === 0) return [];
  const asService = { ...context, caller: serviceCaller };
  const question = { organizationId, agentId, publicationVersion: version, connectionIds: [] };
  const { bindings } = await agents.getCallSecrets(question, asService);
  const found: LeasedCredential[] = [];
  for (const { kind, provider } of needed) {
    const wanted = { kind, provider, componentCredentialId: bindings[kind] ?? '', standby: true, purpose };
    const account = await models.account(organizationId, wanted, asService);
    if (account !== undefined) found.push({ kind, provider, ...account });
  }
  return found;
}

/** The accounts for conversations with a publication: without sound, only its model is used. Simulated components need none. */
export const accountsFor = (publication: Publication, spoken: boolean): NeededAccount[] =>
  neededAccounts(publication).filter(({ kind }) => spoken || kind === 'llm');
