import { routes } from '@parley/contract';
import { writtenAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.createMessageTemplate, async ({ body, organizationId, idempotency, clients, context }) => {
  const request = { organizationId, body: body.document(), idempotency };
  return writtenAnswer(await clients.agents.createMessageTemplate(request, context));
});
