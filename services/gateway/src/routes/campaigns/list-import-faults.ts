import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { route } from '../../route';
import { campaignList } from './campaign-request';

export default route(routes.listImportFaults, async ({ params, query, organizationId, clients, context }) => {
  const request = { ...campaignList(organizationId, params.campaign_id, query), importId: params.import_id };
  return documentAnswer((await clients.telephony.listImportFaults(request, context)).document);
});
