import { routes } from '@parley/contract';
import { writtenAnswer } from '../../render/written';
import { route } from '../../route';

export default route(routes.resumeCampaign, async ({ params, organizationId, clients, context }) =>
  writtenAnswer(await clients.telephony.resumeCampaign({ organizationId, campaignId: params.campaign_id }, context)),
);
