import type { AnyRoute } from '@parley/contract';
import type { GrpcService } from '@parley/runtime';
import { handlerGroup, publicService, type PublicCall } from '@parley/service';
import {
  createRerun,
  deleteConfiguration,
  getConfiguration,
  getRerun,
  replaceConfiguration,
  type ExtractionDependencies,
  type OfAgent,
} from './extraction';
import {
  cancelRun,
  claimJobs,
  createRun,
  createSuite,
  deleteSuite,
  getRun,
  getSuite,
  importScenario,
  listResults,
  listRuns,
  listSuites,
  openJobCredentials,
  reportJob,
  updateSuite,
  type SimulationDependencies,
} from './simulations';

/** The public routes of this service. */
export function insightsPublicService(
  extraction: ExtractionDependencies,
  simulations: SimulationDependencies,
): GrpcService {
  return publicService('insights', {
    ...extractionHandlers(extraction),
    ...suiteHandlers(simulations),
    ...runHandlers(simulations),
    ...jobHandlers(simulations),
  });
}

const group = handlerGroup<'insights'>();

function extractionHandlers(extraction: ExtractionDependencies) {
  return group({
    getExtraction: (call) => getConfiguration(extraction, ofAgent(call)),
    replaceExtraction: (call) =>
      replaceConfiguration(extraction, { ...ofAgent(call), ifMatch: call.ifMatch, body: () => call.body() }),
    deleteExtraction: (call) => deleteConfiguration(extraction, { ...ofAgent(call), ifMatch: call.ifMatch }),
    createExtractionRerun: (call) =>
      createRerun(extraction, {
        ...ofAgent(call),
        body: () => call.body(),
        creating: (organizationId) => call.creating(organizationId),
      }),
    getExtractionRerun: (call) => getRerun(extraction, { ...ofAgent(call), rerunId: call.params.extraction_rerun_id }),
  });
}

function suiteHandlers(simulations: SimulationDependencies) {
  return group({
    createSimulationSuite: (call) =>
      createSuite(simulations, {
        ...asked(call),
        organizationId: call.namedOrganizationId,
        body: () => call.body(),
        creating: (organizationId) => call.creating(organizationId),
      }),
    listSimulationSuites: (call) => listSuites(simulations, call.namedOrganizationId, call.query),
    getSimulationSuite: (call) => getSuite(simulations, ofSuite(call)),
    updateSimulationSuite: (call) =>
      updateSuite(simulations, { ...ofSuite(call), ifMatch: call.ifMatch, body: () => call.body() }),
    deleteSimulationSuite: (call) => deleteSuite(simulations, { ...ofSuite(call), ifMatch: call.ifMatch }),
    importSimulationScenario: (call) => importScenario(simulations, { ...ofSuite(call), body: () => call.body() }),
    listSimulationRuns: (call) => listRuns(simulations, { ...ofSuite(call), query: call.query }),
    createSimulationRun: (call) =>
      createRun(simulations, {
        ...ofSuite(call),
        body: () => call.body(),
        creating: (organizationId) => call.creating(organizationId),
      }),
  });
}

function runHandlers(simulations: SimulationDependencies) {
  const ofRun = (call: PublicCall<AnyRoute>) => ({ ...asked(call), runId: call.params['simulation_run_id'] ?? '' });
  return group({
    getSimulationRun: (call) => getRun(simulations, { ...ofRun(call), against: () => call.query.against }),
    listSimulationResults: (call) => listResults(simulations, { ...ofRun(call), query: call.query }),
    cancelSimulationRun: (call) => cancelRun(simulations, ofRun(call)),
  });
}

function jobHandlers(simulations: SimulationDependencies) {
  const ofJob = (call: PublicCall<AnyRoute>) => ({ ...asked(call), jobId: call.params['job_id'] ?? '' });
  return group({
    claimSimulationJobs: (call) => claimJobs(simulations, call.organizationId, call.body(), call.context),
    openSimulationCredentials: (call) =>
      openJobCredentials(simulations, { ...ofJob(call), epoch: () => call.body().epoch }),
    reportSimulationJob: (call) => reportJob(simulations, { ...ofJob(call), body: () => call.body() }),
  });
}

const asked = ({ organizationId, context }: PublicCall<AnyRoute>) => ({ organizationId, context });

const ofSuite = (call: PublicCall<AnyRoute>) => ({ ...asked(call), suiteId: call.params['simulation_suite_id'] ?? '' });

function ofAgent({ organizationId, params, context }: PublicCall<AnyRoute>): OfAgent {
  return { organizationId, agentId: params['agent_id'] ?? '', context };
}
