import { inboundActions, routes } from '@parley/contract';
import { embedding } from '../../render/embedding';
import { oneOf } from '../../render/one-of';
import { route } from '../../route';

export default route(routes.routeInboundCall, async ({ body, organizationId, clients, context }) => {
  const { to, from, gateway_call_id: gatewayCallId } = body.fields();
  const routed = await clients.telephony.routeInboundCall({ organizationId, to, from, gatewayCallId }, context);
  return embedding({ action: oneOf(inboundActions, routed.action) }, { call: routed.call });
});
