import { routes } from '@parley/contract';
import { writtenAnswer } from '../../render/written';
import { route } from '../../route';
import { campaignWrite } from './campaign-request';

export default route(routes.updateCampaign, async (request) => {
  const { params, clients, context } = request;
  return writtenAnswer(await clients.telephony.updateCampaign(campaignWrite(request, params.campaign_id), context));
});
