import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { present } from '../../render/present';
import { recoveryRecord } from '../../render/recovery';
import { route } from '../../route';

export default route(
  routes.recoverEndpoint,
  async ({ params, body, organizationId, idempotency, clients, context }) => {
    const { recovery, replayed } = await clients.webhooks.recoverEndpoint(
      { organizationId, agentEndpointId: params.agent_endpoint_id, body: body.document(), idempotency },
      context,
    );
    return jsonAnswer(recoveryRecord(present(recovery, 'recovery')), { replayed });
  },
);
