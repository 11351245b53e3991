import type { PublicCall, PublicResult } from '@parley/service';
import {
  type CampaignTrigger,
  createCampaign,
  duplicateCampaign,
  getCampaign,
  listAttemptPage,
  listCampaignPage,
  listContactPage,
  listImportFaults,
  listImportPage,
  resolveCampaignReview,
  campaignResult,
  changeCampaign,
  updateCampaign,
} from '../../campaigns';
import { creation, group, type WholeTelephony } from './group';

export function campaignHandlers(telephony: WholeTelephony) {
  const { db } = telephony;
  const change = (trigger: Exclude<CampaignTrigger, 'complete'>) => (call: CampaignCall) =>
    changeCampaign(telephony, call.organizationId, call.params.campaign_id, trigger, call.context);
  return group({
    createCampaign(call): Promise<PublicResult> {
      const { organizationId, request } = creation(call);
      return createCampaign(telephony, request, organizationId, () => call.body(), call.context);
    },
    listCampaigns: async (call) => ({ body: await listCampaignPage(db, call.namedOrganizationId, call.query) }),
    getCampaign: async (call) => campaignResult(await getCampaign(db, call.organizationId, call.params.campaign_id)),
    updateCampaign(call) {
      const { campaign_id: campaignId } = call.params;
      return updateCampaign(telephony, call.organizationId, campaignId, call.ifMatch, () => call.body(), call.context);
    },
    listCampaignContacts: async (call) => ({
      body: await listContactPage(db, call.organizationId, call.params.campaign_id, call.query),
    }),
    listCampaignAttempts: async (call) => ({
      body: await listAttemptPage(db, call.organizationId, call.params.campaign_id, call.query),
    }),
    listCampaignImports: async (call) => ({
      body: await listImportPage(db, call.organizationId, call.params.campaign_id, call.query),
    }),
    async listImportFaults(call) {
      const { campaign_id: campaignId, import_id: importId } = call.params;
      return { body: await listImportFaults(db, call.organizationId, { campaignId, importId }, call.query) };
    },
    launchCampaign: change('launch'),
    pauseCampaign: change('pause'),
    resumeCampaign: change('resume'),
    cancelCampaign: change('cancel'),
    duplicateCampaign(call) {
      const { organizationId, request } = creation(call);
      return duplicateCampaign(
        telephony,
        organizationId,
        call.params.campaign_id,
        () => call.body(),
        request,
        call.context,
      );
    },
    async resolveCampaignReview(call) {
      const { campaign_id: campaignId, attempt_id: attemptId } = call.params;
      const organizationId = call.organizationId;
      const body = () => call.body();
      return {
        body: await resolveCampaignReview(telephony, organizationId, campaignId, attemptId, body, call.context),
      };
    },
  });
}

/** A request whose path contains a campaign id. */
type CampaignCall = Pick<PublicCall, 'organizationId' | 'context'> & {
  readonly params: { readonly campaign_id: string };
};
