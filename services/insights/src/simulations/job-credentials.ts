import type { LeasedCredential, Publication, RuntimeConfiguration, SimulationCredentials } from '@parley/contract';
import { serviceCaller, type CallContext } from '@parley/runtime';
import type { PublicResult } from '@parley/service';
import type { SimulationDependencies } from './dependencies';
import { runsToHave } from './jobs.cross-tenant.sql';
import { leasedJob, type JobReport } from './report-job';
import { findRun } from './runs.sql';

/**
 * Returns accounts for the model of a leased job: the credential that the publication binds, otherwise the organization's newest credential for the provider,
 * otherwise the account of the installation.
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
      : await modelAccounts(dependencies, {
          ...{ organizationId: run.organization_id, agentId: run.agent_id, version: run.publication_version },
          ...{ publication, purpose: 'simulation', context },
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
  readonly publication: Pick<Publication, 'model'>;
  readonly purpose: string;
  readonly context: CallContext;
}

/** Returns an account for the model of a publication and for each of its fallbacks, if there is one. The simulated model needs none. */
export async function modelAccounts(
  { agents, models }: Pick<SimulationDependencies, 'agents' | 'models'>,
  { organizationId, agentId, version, publication, purpose, context }: Wanted,
): Promise<LeasedCredential[]> {
  const providers = modelProviders(publication);
  if (providers.length === 0) return [];
  const asService = { ...context, caller: serviceCaller };
  const question = { organizationId, agentId, publicationVersion: version, connectionIds: [] };
  const { bindings } = await agents.getCallSecrets(question, asService);
  const bound = bindings['llm'] ?? '';
  const found: LeasedCredential[] = [];
  for (const [nth, provider] of providers.entries()) {
    const wanted = { provider, componentCredentialId: nth === 0 ? bound : '', purpose };
    const account = await models.account(organizationId, wanted, asService);
    if (account !== undefined) found.push({ kind: 'llm', provider, ...account });
  }
  return found;
}

/** The providers of the model and its fallbacks, without duplicates. */
export function modelProviders({ model }: Pick<Publication, 'model'>): string[] {
  const { provider = 'simulator', fallbacks = [] } = (model ?? {}) as {
    provider?: string;
    fallbacks?: readonly { readonly provider: string }[];
  };
  const all = new Set([provider, ...fallbacks.map((one) => one.provider)]);
  all.delete('simulator');
  return [...all];
}
