import { setTimeout as pause } from 'node:timers/promises';
import type { SimulationJob, SimulationJobClaim, SimulationScenario } from '@parley/contract';
import type { CallContext } from '@parley/runtime';
import type { PublicResult } from '@parley/service';
import type { SimulationDependencies } from './dependencies';
import {
  abandonedSpokenJobs,
  leaseSimulationJobs,
  noteOffers,
  noteRunner,
  runsToHave,
  type JobRow,
} from './jobs.cross-tenant.sql';
import { failJob } from './report-job';
import { offersOf } from './spoken-needs.rules';

/** Another worker takes over the jobs of a worker that has not renewed its leases for this long. */
export const simulationLeaseSeconds = 60;
/** Maximum number of leases per job: a job that crashes every worker is marked as failed. */
const mostLeases = 5;
const pollMs = 250;

/** Waits for jobs and leases them, with the runtime configurations of their conversations. */
export async function claimJobs(
  { db }: Pick<SimulationDependencies, 'db'>,
  organizationId: string,
  { worker_id: workerId, capacity, wait_seconds: waitSeconds = 0, spoken }: SimulationJobClaim,
  { signal }: CallContext,
): Promise<PublicResult> {
  const offers = spoken === undefined ? null : offersOf(spoken);
  if (organizationId === '') {
    await (offers === null ? noteRunner(db) : noteOffers(db, offers));
    for (const job of await abandonedSpokenJobs(db)) await failJob(db, job);
  }
  const until = Date.now() + waitSeconds * 1_000;
  for (;;) {
    const request = { workerId, limit: Math.min(capacity, 20), leaseSeconds: simulationLeaseSeconds, offers };
    const jobs = signal.aborted ? [] : await leaseSimulationJobs(db, organizationId, request);
    const worn = jobs.filter(({ epoch }) => epoch > mostLeases);
    for (const job of worn) await failJob(db, job);
    const fresh = jobs.filter(({ epoch }) => epoch <= mostLeases);
    if (fresh.length > 0 || signal.aborted || Date.now() >= until) return { body: await rendered(db, fresh) };
    await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The JSON of SimulationJobsClaimed. A runtime configuration is a document of 10 KB or more, so its stored text is inserted without parsing it. */
async function rendered(db: SimulationDependencies['db'], jobs: readonly JobRow[]): Promise<string> {
  const runIds = [...new Set(jobs.map((job) => job.simulation_run_id))];
  const runs = runIds.length === 0 ? [] : await runsToHave(db, runIds);
  const texts = jobs.flatMap((job) => {
    const run = runs.find((one) => one.simulation_run_id === job.simulation_run_id);
    const scenario = run && (JSON.parse(run.scenarios) as SimulationScenario[])[job.scenario];
    if (run === undefined || scenario === undefined) return [];
    const head: Omit<SimulationJob, 'runtime_configuration'> = {
      job_id: job.job_id,
      kind: 'simulation',
      epoch: job.epoch,
      lease_seconds: simulationLeaseSeconds,
      organization_id: job.organization_id,
      agent_id: run.agent_id,
      simulation_run_id: job.simulation_run_id,
      scenario,
      first_repetition: job.first_repetition,
      repetitions: job.repetitions,
      ...(job.needs !== null && { spoken: true }),
    };
    return [`${JSON.stringify(head).slice(0, -1)},"runtime_configuration":${run.configuration}}`];
  });
  return `{"jobs":[${texts.join(',')}]}`;
}
