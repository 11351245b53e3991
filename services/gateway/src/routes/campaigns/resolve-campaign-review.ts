import { routes } from '@parley/contract';
import { writtenAnswer } from '../../render/written';
import { route } from '../../route';
import { campaignWrite } from './campaign-request';

export default route(routes.resolveCampaignReview, async (request) => {
  const { params, clients, context } = request;
  const write = { ...campaignWrite(request, params.campaign_id), attemptId: params.attempt_id };
  return writtenAnswer(await clients.telephony.resolveCampaignReview(write, context));
});
