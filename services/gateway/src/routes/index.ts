import addCampaignContacts from './campaigns/add-campaign-contacts';
import cancelCampaign from './campaigns/cancel-campaign';
import createCampaign from './campaigns/create-campaign';
import duplicateCampaign from './campaigns/duplicate-campaign';
import getCampaign from './campaigns/get-campaign';
import launchCampaign from './campaigns/launch-campaign';
import listCampaignAttempts from './campaigns/list-campaign-attempts';
import listCampaignContacts from './campaigns/list-campaign-contacts';
import listCampaignImports from './campaigns/list-campaign-imports';
import listCampaigns from './campaigns/list-campaigns';
import listImportFaults from './campaigns/list-import-faults';
import pauseCampaign from './campaigns/pause-campaign';
import resolveCampaignReview from './campaigns/resolve-campaign-review';
import resumeCampaign from './campaigns/resume-campaign';
import updateCampaign from './campaigns/update-campaign';
import listEvents from './events/list-events';
import getCallConfiguration from './media-gateways/get-call-configuration';
import putCallArtifacts from './media-gateways/put-call-artifacts';
import reportGatewayCall from './media-gateways/report-gateway-call';
import routeInboundCall from './media-gateways/route-inbound-call';
import claimWorkerJobs from './worker-jobs/claim-worker-jobs';
import completeWorkerJob from './worker-jobs/complete-worker-job';
import heartbeatWorkerJobs from './worker-jobs/heartbeat-worker-jobs';
import reportWorkerJob from './worker-jobs/report-worker-job';
import type { RouteModule } from '../route';

/** The routes that a declaration cannot describe, and those that are not forwarded yet. The check at start compares this list with the declarations. */
export const routeModules: readonly RouteModule[] = [
  addCampaignContacts,
  cancelCampaign,
  createCampaign,
  duplicateCampaign,
  getCampaign,
  launchCampaign,
  listCampaignAttempts,
  listCampaignContacts,
  listCampaignImports,
  listCampaigns,
  listImportFaults,
  pauseCampaign,
  resolveCampaignReview,
  resumeCampaign,
  updateCampaign,
  listEvents,
  getCallConfiguration,
  putCallArtifacts,
  reportGatewayCall,
  routeInboundCall,
  claimWorkerJobs,
  completeWorkerJob,
  heartbeatWorkerJobs,
  reportWorkerJob,
];
