import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { pageOf } from '../../middleware/page-of';
import { route } from '../../route';

export default route(routes.listCarrierCredentials, async ({ query, organizationId, clients, context }) => {
  const request = { organizationId: named(organizationId), page: pageOf(query) };
  return documentAnswer((await clients.telephony.listCarrierCredentials(request, context)).document);
});
