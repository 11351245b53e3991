import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.createAgent, async ({ body, organizationId, idempotency, clients, context }) =>
  resourceAnswer(await clients.agents.createAgent({ organizationId, body: body.document(), idempotency }, context)),
);
