import getAgentCatalogue from './agent-catalog/get-agent-catalog';
import createAgent from './agents/create-agent';
import getAgent from './agents/get-agent';
import listAgents from './agents/list-agents';
import reinstateAgent from './agents/reinstate-agent';
import suspendAgent from './agents/suspend-agent';
import updateAgent from './agents/update-agent';
import listApiKeys from './api-keys/list-api-keys';
import listScopes from './api-keys/list-scopes';
import mintApiKey from './api-keys/mint-api-key';
import revokeApiKey from './api-keys/revoke-api-key';
import addCampaignContacts from './campaigns/add-campaign-contacts';
import createComponentCredential from './component-credentials/create-component-credential';
import listComponentCredentials from './component-credentials/list-component-credentials';
import listGatewayTokens from './gateway-tokens/list-gateway-tokens';
import mintGatewayToken from './gateway-tokens/mint-gateway-token';
import revokeGatewayToken from './gateway-tokens/revoke-gateway-token';
import listEvents from './events/list-events';
import getMaintenance from './maintenance/get-maintenance';
import setMaintenance from './maintenance/set-maintenance';
import createOrganization from './organizations/create-organization';
import listAuditLog from './organizations/list-audit-log';
import listOrganizations from './organizations/list-organizations';
import reinstateOrganization from './organizations/reinstate-organization';
import suspendOrganization from './organizations/suspend-organization';
import createProject from './projects/create-project';
import listProjects from './projects/list-projects';
import diffPublication from './publications/diff-publication';
import getPublication from './publications/get-publication';
import listPublications from './publications/list-publications';
import restorePublication from './publications/restore-publication';
import getVariables from './variables/get-variables';
import replaceVariables from './variables/replace-variables';
import createMessageTemplate from './message-templates/create-message-template';
import getMessageTemplate from './message-templates/get-message-template';
import listMessageTemplates from './message-templates/list-message-templates';
import updateMessageTemplate from './message-templates/update-message-template';
import armPhonePin from './workflow/arm-phone-pin';
import createWorkflowDraft from './workflow/create-workflow-draft';
import disarmPhonePin from './workflow/disarm-phone-pin';
import getWorkflow from './workflow/get-workflow';
import publishWorkflow from './workflow/publish-workflow';
import saveWorkflowDraft from './workflow/save-workflow-draft';
import previewVoice from './voice-previews/preview-voice';
import getCallConfiguration from './media-gateways/get-call-configuration';
import putCallArtifacts from './media-gateways/put-call-artifacts';
import reportGatewayCall from './media-gateways/report-gateway-call';
import routeInboundCall from './media-gateways/route-inbound-call';
import getVoiceStack from './voice-stack/get-voice-stack';
import previewVoiceStack from './voice-stack/preview-voice-stack';
import saveVoiceStack from './voice-stack/save-voice-stack';
import claimWorkerJobs from './worker-jobs/claim-worker-jobs';
import completeWorkerJob from './worker-jobs/complete-worker-job';
import heartbeatWorkerJobs from './worker-jobs/heartbeat-worker-jobs';
import reportWorkerJob from './worker-jobs/report-worker-job';
import type { RouteModule } from '../route';

/** Every handler; the start-up check holds this list against the declarations. */
export const routeModules: readonly RouteModule[] = [
  createAgent,
  listAgents,
  getAgent,
  reinstateAgent,
  suspendAgent,
  updateAgent,
  getVoiceStack,
  saveVoiceStack,
  previewVoiceStack,
  listPublications,
  getPublication,
  diffPublication,
  restorePublication,
  getVariables,
  replaceVariables,
  getWorkflow,
  createWorkflowDraft,
  saveWorkflowDraft,
  publishWorkflow,
  armPhonePin,
  disarmPhonePin,
  createMessageTemplate,
  listMessageTemplates,
  getMessageTemplate,
  updateMessageTemplate,
  previewVoice,
  getAgentCatalogue,
  listEvents,
  mintApiKey,
  listApiKeys,
  listScopes,
  revokeApiKey,
  createComponentCredential,
  listComponentCredentials,
  mintGatewayToken,
  listGatewayTokens,
  revokeGatewayToken,
  createOrganization,
  listOrganizations,
  suspendOrganization,
  reinstateOrganization,
  listAuditLog,
  createProject,
  listProjects,
  getMaintenance,
  setMaintenance,
  addCampaignContacts,
  claimWorkerJobs,
  heartbeatWorkerJobs,
  reportWorkerJob,
  completeWorkerJob,
  routeInboundCall,
  getCallConfiguration,
  reportGatewayCall,
  putCallArtifacts,
];
