import { routes } from '@parley/contract';
import { writtenAnswer } from '../../render/written';
import { route } from '../../route';
import { campaignWrite } from './campaign-request';

export default route(routes.createCampaign, async (request) => {
  const { clients, context } = request;
  return writtenAnswer(await clients.telephony.createCampaign(campaignWrite(request, ''), context));
});
