import {
  SimulationImport,
  SimulationResultPage,
  SimulationResultQuery,
  SimulationRun,
  SimulationRunCreate,
  SimulationRunListQuery,
  SimulationRunQuery,
  SimulationRunSummaryPage,
  SimulationSuite,
  SimulationSuiteCreate,
  SimulationSuiteListQuery,
  SimulationSuitePage,
  SimulationSuiteUpdate,
} from '../objects/simulation';
import {
  SimulationCredentials,
  SimulationJobAnswer,
  SimulationJobClaim,
  SimulationJobReport,
  SimulationJobsClaimed,
} from '../objects/simulation-job';
import { WorkerCredentialsRequest } from '../objects/worker-tools';
import { routesOf } from './define';

const route = routesOf('insights');

const suites = '/v1/simulation-suites';
const oneSuite = `${suites}/{simulation_suite_id}` as const;
const oneRun = '/v1/simulation-runs/{simulation_run_id}';
const oneJob = '/v1/simulation-jobs/{job_id}';
const workers = ['customer', 'operator', 'hosted_simulation'] as const;

export const simulationRoutes = {
  createSimulationSuite: route('POST', suites, {
    mcp: false,
    summary: 'Create a suite of scenarios for an agent',
    scope: 'simulations:run',
    body: SimulationSuiteCreate,
    answer: SimulationSuite,
    creates: true,
    newWork: false,
    audit: 'simulation_suite.created',
    errors: ['NotFoundError', 'ConflictError', 'SimulationError'],
  }),
  listSimulationSuites: route('GET', suites, {
    summary: 'List suites, newest first',
    tool: 'List suites of scenarios, with their scenarios.',
    scope: 'simulations:read',
    query: SimulationSuiteListQuery,
    answer: SimulationSuitePage,
  }),
  getSimulationSuite: route('GET', oneSuite, {
    summary: 'Read a suite',
    scope: 'simulations:read',
    answer: SimulationSuite,
    mcp: false,
  }),
  updateSimulationSuite: route('PATCH', oneSuite, {
    summary: 'Rename a suite or replace its scenarios',
    scope: 'simulations:run',
    body: SimulationSuiteUpdate,
    answer: SimulationSuite,
    mcp: false,
    newWork: false,
    audit: 'simulation_suite.updated',
    conditional: true,
    errors: ['SimulationError'],
  }),
  deleteSimulationSuite: route('DELETE', oneSuite, {
    summary: 'Delete a suite with its runs',
    scope: 'simulations:run',
    answer: SimulationSuite,
    mcp: false,
    newWork: false,
    audit: 'simulation_suite.deleted',
    conditional: true,
  }),
  importSimulationScenario: route('POST', `${oneSuite}/scenarios`, {
    summary: 'Add what the other party said in a call as a scenario',
    scope: 'simulations:run',
    alsoScopes: ['recordings:read'],
    body: SimulationImport,
    answer: SimulationSuite,
    mcp: false,
    newWork: false,
    audit: 'simulation_suite.updated',
    errors: ['ConflictError', 'SimulationError'],
  }),
  createSimulationRun: route('POST', `${oneSuite}/runs`, {
    summary: 'Run a suite against an agent',
    tool: 'Run a suite against the published agent, its draft, or an earlier version. Read the report with get_simulation_run.',
    scope: 'simulations:run',
    body: SimulationRunCreate,
    answer: SimulationRun,
    creates: true,
    newWork: true,
    audit: 'simulation_run.started',
    errors: ['ConflictError', 'SimulationError'],
  }),
  listSimulationRuns: route('GET', `${oneSuite}/runs`, {
    summary: 'List the runs of a suite, newest first, without their reports',
    scope: 'simulations:read',
    query: SimulationRunListQuery,
    answer: SimulationRunSummaryPage,
    mcp: false,
  }),
  getSimulationRun: route('GET', oneRun, {
    summary: 'Read the progress of a run, and its report',
    tool: 'Read how far a run is, and its report: which assertions do not hold, what was found, and against an earlier run what changed.',
    scope: 'simulations:read',
    query: SimulationRunQuery,
    answer: SimulationRun,
  }),
  listSimulationResults: route('GET', `${oneRun}/results`, {
    summary: 'List the conversations of a run with their verdicts',
    scope: 'simulations:read',
    query: SimulationResultQuery,
    answer: SimulationResultPage,
    mcp: false,
    etag: false,
  }),
  cancelSimulationRun: route('POST', `${oneRun}/cancel`, {
    summary: 'Cancel a run; completed conversations are kept',
    scope: 'simulations:run',
    answer: SimulationRun,
    mcp: false,
    newWork: false,
    audit: 'simulation_run.canceled',
    errors: ['ConflictError'],
  }),
  claimSimulationJobs: route('POST', '/v1/simulation-jobs/claim', {
    summary: 'Claim jobs of the kind `simulation`; waits for the first',
    scope: 'worker_jobs:claim',
    audience: workers,
    body: SimulationJobClaim,
    answer: SimulationJobsClaimed,
    newWork: false,
    // The work of a run, which is recorded when it starts.
    audit: false,
    waits: true,
  }),
  openSimulationCredentials: route('POST', `${oneJob}/credentials`, {
    summary: 'Read the provider accounts for the conversations of a job',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    body: WorkerCredentialsRequest,
    answer: SimulationCredentials,
    newWork: false,
    audit: 'component_credential.opened',
    errors: ['ConflictError'],
    mcp: false,
  }),
  reportSimulationJob: route('POST', `${oneJob}/results`, {
    summary: 'Report conversations of a job, and keep its lease',
    scope: 'worker_jobs:heartbeat',
    audience: workers,
    body: SimulationJobReport,
    answer: SimulationJobAnswer,
    newWork: false,
    // The work of a run, which is recorded when it starts.
    audit: false,
    waits: true,
    errors: ['ConflictError'],
  }),
};
