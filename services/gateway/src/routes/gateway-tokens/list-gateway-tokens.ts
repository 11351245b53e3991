import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { pageOf } from '../../middleware/page-of';
import { gatewayTokenRecord } from '../../render/gateway-token';
import { route } from '../../route';

export default route(routes.listGatewayTokens, async ({ query, organizationId, clients, context }) => {
  const request = { organizationId: named(organizationId), page: pageOf(query) };
  const { gatewayTokens, nextCursor } = await clients.auth.listGatewayTokens(request, context);
  return pageAnswer(gatewayTokens.map(gatewayTokenRecord), nextCursor);
});
