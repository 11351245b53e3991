import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';

export default route(routes.listCallEvents, async ({ params, query, organizationId, clients, context }) => {
  const request = { organizationId, callId: params.call_id, page: pageOf(query) };
  return documentAnswer((await clients.telephony.listCallEvents(request, context)).document);
});
