import type { Queryable } from '@parley/runtime';

/** Deletes the extraction configuration of an agent, and its simulation suites with their runs, jobs and results. Extracted data is kept. */
export async function removeAgent(tx: Queryable, organizationId: string, agentId: string): Promise<void> {
  await tx.query({
    name: 'kept-agent-remove',
    text: `with suites as (
             delete from simulation_suites where organization_id = $1 and agent_id = $2 returning simulation_suite_id),
           runs as (delete from simulation_runs r using suites
             where r.organization_id = $1 and r.simulation_suite_id = suites.simulation_suite_id returning r.simulation_run_id),
           jobs as (delete from simulation_jobs j using runs
             where j.organization_id = $1 and j.simulation_run_id = runs.simulation_run_id),
           results as (delete from simulation_results s using runs
             where s.organization_id = $1 and s.simulation_run_id = runs.simulation_run_id)
           delete from extraction_configurations where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
}
