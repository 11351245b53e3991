import { routes } from '@parley/contract';
import { writtenAnswer } from '../../render/written';
import { route } from '../../route';

export default route(routes.cancelCampaign, async ({ params, organizationId, clients, context }) =>
  writtenAnswer(await clients.telephony.cancelCampaign({ organizationId, campaignId: params.campaign_id }, context)),
);
