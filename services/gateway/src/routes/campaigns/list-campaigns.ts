import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { route } from '../../route';
import { campaignList } from './campaign-request';

export default route(routes.listCampaigns, async ({ query, organizationId, clients, context }) => {
  const request = campaignList(named(organizationId), '', query);
  return documentAnswer((await clients.telephony.listCampaigns(request, context)).document);
});
