import cancelCall from './calls/cancel-call';
import createCall from './calls/create-call';
import getCall from './calls/get-call';
import getRecording from './calls/get-recording';
import getTranscript from './calls/get-transcript';
import listCallEvents from './calls/list-call-events';
import listCalls from './calls/list-calls';
import createCarrierCredential from './carrier-credentials/create-carrier-credential';
import listCarrierCredentials from './carrier-credentials/list-carrier-credentials';
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
import createNumber from './numbers/create-number';
import listNumbers from './numbers/list-numbers';
import updateNumber from './numbers/update-number';
import createTrialCall from './trial-calls/create-trial-call';
import createMessage from './messages/create-message';
import createTemplateMessage from './messages/create-template-message';
import getMessage from './messages/get-message';
import listMessages from './messages/list-messages';
import getCallConfiguration from './media-gateways/get-call-configuration';
import listNumberRules from './media-gateways/list-number-rules';
import putCallArtifacts from './media-gateways/put-call-artifacts';
import reportGatewayCall from './media-gateways/report-gateway-call';
import routeInboundCall from './media-gateways/route-inbound-call';
import claimWorkerJobs from './worker-jobs/claim-worker-jobs';
import completeWorkerJob from './worker-jobs/complete-worker-job';
import heartbeatWorkerJobs from './worker-jobs/heartbeat-worker-jobs';
import reportWorkerJob from './worker-jobs/report-worker-job';
import resolveReview from './calls/resolve-review';
import getControls from './organizations/get-controls';
import getPolicy from './organizations/get-policy';
import setControls from './organizations/set-controls';
import setPolicy from './organizations/set-policy';
import createSuppressions from './suppressions/create-suppressions';
import listSuppressions from './suppressions/list-suppressions';
import removeSuppression from './suppressions/remove-suppression';
import getWallet from './wallet/get-wallet';
import listLedger from './wallet/list-ledger';
import topUpWallet from './wallet/top-up-wallet';
import type { RouteModule } from '../route';

/** Every handler; the start-up check holds this list against the declarations. */
export const routeModules: readonly RouteModule[] = [
  createMessage,
  createTemplateMessage,
  listMessages,
  getMessage,
  listEvents,
  createCarrierCredential,
  listCarrierCredentials,
  createNumber,
  listNumbers,
  updateNumber,
  createCall,
  getCall,
  cancelCall,
  getTranscript,
  getRecording,
  createTrialCall,
  listCallEvents,
  listCalls,
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
  claimWorkerJobs,
  heartbeatWorkerJobs,
  reportWorkerJob,
  completeWorkerJob,
  resolveReview,
  getControls,
  setControls,
  getPolicy,
  setPolicy,
  createSuppressions,
  listSuppressions,
  removeSuppression,
  getWallet,
  listLedger,
  topUpWallet,
  routeInboundCall,
  getCallConfiguration,
  reportGatewayCall,
  putCallArtifacts,
  listNumberRules,
];
