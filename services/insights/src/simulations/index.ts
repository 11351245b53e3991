/** Suites of scenarios, their runs, and the jobs in which workers run the conversations (ADR 105, ADR 102). */
export { claimJobs } from './claim-jobs';
export { createRun } from './create-run';
export type { SimulationDependencies } from './dependencies';
export { importScenario } from './import-scenario';
export { openJobCredentials } from './job-credentials';
export { simulationExists } from './owners.cross-tenant.sql';
export { cancelRun, getRun, listResults, listRuns } from './read-runs';
export { reportJob } from './report-job';
export { createSuite, deleteSuite, getSuite, listSuites, updateSuite } from './suites';
