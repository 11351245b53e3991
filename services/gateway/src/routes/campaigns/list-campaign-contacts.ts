import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { route } from '../../route';
import { campaignList } from './campaign-request';

export default route(routes.listCampaignContacts, async ({ params, query, organizationId, clients, context }) => {
  const request = campaignList(organizationId, params.campaign_id, query);
  return documentAnswer((await clients.telephony.listCampaignContacts(request, context)).document);
});
