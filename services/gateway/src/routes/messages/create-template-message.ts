import { routes } from '@parley/contract';
import { writtenAnswer } from '../../answer';
import { route } from '../../route';

export default route(
  routes.createTemplateMessage,
  async ({ params, body, organizationId, idempotency, clients, context }) => {
    const request = { organizationId, agentId: params.agent_id, body: body.document(), idempotency };
    return writtenAnswer(await clients.telephony.createTemplateMessage(request, context));
  },
);
