import type { ErrorCode } from '@parley/errors';
import {
  CampaignAttemptListQuery,
  CampaignAttemptPage,
  CampaignAttemptRecord,
  CampaignContactListQuery,
  CampaignContactPage,
  CampaignContactsAdd,
  CampaignCreate,
  CampaignDuplicate,
  CampaignListQuery,
  CampaignPage,
  CampaignRecord,
  CampaignReviewResolve,
  CampaignUpdate,
} from '../objects/campaign';
import { CampaignImportPage, CampaignImportRecord, ContactFaultPage } from '../objects/campaign-import';
import { ListQuery } from '../objects/page';
import { gatewayRoute, routesOf } from './define';

const route = routesOf('telephony');

const one = '/v1/campaigns/{campaign_id}';

/** The errors if an agent cannot call at present. */
const agentErrors: readonly ErrorCode[] = ['ConflictError', 'SuspensionError', 'realtime_config_not_runnable'];

export const campaignRoutes = {
  createCampaign: route('POST', '/v1/campaigns', {
    summary: 'Create a campaign',
    tool: 'Create a campaign as a draft: an agent that calls many contacts, with its pace, calling window and retries. Contacts can come along or be added with add_campaign_contacts. No contact is called before launch_campaign.',
    scope: 'campaigns:write',
    body: CampaignCreate,
    answer: CampaignRecord,
    creates: true,
    newWork: false,
    audit: 'campaign.created',
    errors: ['NotFoundError'],
  }),
  listCampaigns: route('GET', '/v1/campaigns', {
    summary: 'List campaigns, newest first',
    tool: 'List campaigns, newest first. summary: true leaves statistics out.',
    scope: 'campaigns:read',
    query: CampaignListQuery,
    answer: CampaignPage,
  }),
  getCampaign: route('GET', one, {
    summary: 'Read a campaign with its statistics',
    tool: 'Read one campaign: its settings, its status, why it waits or is paused, and how its contacts came out so far.',
    scope: 'campaigns:read',
    answer: CampaignRecord,
  }),
  updateCampaign: route('PATCH', one, {
    summary: 'Update a campaign that is not over',
    tool: 'Change a campaign that is not over: its name, pace, calling window, retries or end. It holds for calls placed from then on; the agent can be changed in a draft only.',
    scope: 'campaigns:write',
    body: CampaignUpdate,
    answer: CampaignRecord,
    newWork: false,
    audit: 'campaign.updated',
    conditional: true,
  }),
  addCampaignContacts: gatewayRoute('POST', `${one}/contacts`, {
    summary: 'Add contacts to a campaign',
    tool: 'Add up to 1000 contacts to a campaign that is not over. A campaign contains a number once; contacts already in it are counted as duplicates.',
    upload: 'text/csv',
    scope: 'campaigns:write',
    body: CampaignContactsAdd,
    answer: CampaignImportRecord,
    rpc: 'telephony.addCampaignContacts',
    creates: true,
    newWork: false,
    audit: 'campaign.contacts_added',
  }),
  listCampaignContacts: route('GET', `${one}/contacts`, {
    summary: 'List the contacts of a campaign, newest first',
    tool: 'List the contacts of a campaign, with their outcome and how often they were called.',
    scope: 'campaigns:read',
    query: CampaignContactListQuery,
    answer: CampaignContactPage,
    etag: false,
  }),
  listCampaignAttempts: route('GET', `${one}/attempts`, {
    summary: 'List the calls of a campaign, newest first',
    tool: 'List the calls of a campaign, newest first. Those with status review wait for a person to approve or reject them.',
    scope: 'campaigns:read',
    query: CampaignAttemptListQuery,
    answer: CampaignAttemptPage,
    etag: false,
  }),
  listCampaignImports: route('GET', `${one}/imports`, {
    summary: 'List the uploads of contacts of a campaign with their progress, newest first',
    tool: 'List the uploads of contacts of a campaign with their progress, newest first.',
    scope: 'campaigns:read',
    query: ListQuery,
    answer: CampaignImportPage,
    etag: false,
  }),
  listImportFaults: route('GET', `${one}/imports/{import_id}/faults`, {
    summary: 'List the rows that were left out, by line',
    tool: 'List the rows of an upload of contacts that were left out, with line and reason.',
    scope: 'campaigns:read',
    query: ListQuery,
    answer: ContactFaultPage,
    etag: false,
  }),
  launchCampaign: route('POST', `${one}/launch`, {
    summary: 'Launch a campaign',
    tool: 'Launch a draft: it calls its contacts within its window and pace. People are called.',
    scope: 'campaigns:write',
    answer: CampaignRecord,
    newWork: true,
    audit: 'campaign.launched',
    errors: agentErrors,
  }),
  pauseCampaign: route('POST', `${one}/pause`, {
    summary: 'Pause a campaign',
    tool: 'Pause a running campaign: no contact is dialed until it is resumed; conversations in progress continue.',
    scope: 'campaigns:write',
    answer: CampaignRecord,
    newWork: false,
    audit: 'campaign.paused',
    errors: ['ConflictError'],
  }),
  resumeCampaign: route('POST', `${one}/resume`, {
    summary: 'Resume a paused campaign',
    tool: 'Resume a paused campaign where it stopped. People are called.',
    scope: 'campaigns:write',
    answer: CampaignRecord,
    newWork: true,
    audit: 'campaign.resumed',
    errors: agentErrors,
  }),
  cancelCampaign: route('POST', `${one}/cancel`, {
    summary: 'Cancel a campaign that is not over',
    tool: 'Cancel a campaign for good: contacts that were not called yet are not called; conversations in progress continue.',
    scope: 'campaigns:write',
    answer: CampaignRecord,
    newWork: false,
    audit: 'campaign.canceled',
    errors: ['ConflictError'],
  }),
  duplicateCampaign: route('POST', `${one}/duplicate`, {
    summary: 'Make a draft of a campaign, with its contacts',
    tool: 'Make a new draft of a campaign with its settings and contacts.',
    scope: 'campaigns:write',
    body: CampaignDuplicate,
    answer: CampaignRecord,
    creates: true,
    newWork: false,
    audit: 'campaign.created',
  }),
  resolveCampaignReview: route('POST', `${one}/reviews/{attempt_id}/resolve`, {
    summary:
      'Approve or reject a call of a campaign that waits for a review; a key that launched or resumed the campaign does not approve it',
    scope: 'api_keys:write',
    body: CampaignReviewResolve,
    answer: CampaignAttemptRecord,
    newWork: false,
    audit: ['campaign_review.approved', 'campaign_review.rejected'],
    errors: ['ConflictError'],
    mcp: false,
  }),
};
