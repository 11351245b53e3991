/** Campaigns: lists of contacts that are called within a window. */
export { addCampaignContacts } from './add-contacts';
export { addCampaignRows } from './add-rows';
export type { CampaignTrigger } from './campaign-transitions.rules';
export { createCampaign } from './create-campaign';
export { duplicateCampaign } from './duplicate-campaign';
export {
  getCampaign,
  listAttemptPage,
  listCampaignPage,
  listContactPage,
  listImportFaults,
  listImportPage,
} from './read-campaigns';
export { resolveCampaignReview } from './resolve-campaign-review';
export { createCampaignRunner } from './run-campaign';
export { campaignResult, changeCampaign, dropContact, updateCampaign } from './write-campaign';
