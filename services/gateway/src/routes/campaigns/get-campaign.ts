import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getCampaign, async ({ params, organizationId, clients, context }) =>
  resourceAnswer(await clients.telephony.getCampaign({ organizationId, campaignId: params.campaign_id }, context)),
);
