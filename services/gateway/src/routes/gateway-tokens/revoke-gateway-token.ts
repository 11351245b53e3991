import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { gatewayTokenRecord } from '../../render/gateway-token';
import { route } from '../../route';

export default route(routes.revokeGatewayToken, async ({ params, organizationId, clients, context }) => {
  const request = { organizationId, gatewayTokenId: params.gateway_token_id };
  return jsonAnswer(gatewayTokenRecord(await clients.auth.revokeGatewayToken(request, context)));
});
