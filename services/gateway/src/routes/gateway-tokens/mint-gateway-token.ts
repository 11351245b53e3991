import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { gatewayTokenMinted } from '../../render/gateway-token';
import { route } from '../../route';

export default route(routes.mintGatewayToken, async ({ body, organizationId, idempotency, clients, context }) => {
  const { deployment_name: deploymentName, expires_at: expiresAt } = body.fields();
  const request = { organizationId, deploymentName, expiresAt: expiresAt ?? '', idempotency };
  const response = await clients.auth.mintGatewayToken(request, context);
  return jsonAnswer(gatewayTokenMinted(response), { replayed: response.replayed });
});
