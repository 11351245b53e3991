import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

/** Publishes up to 32 languages. */
const deadlineMs = 20_000;

export default route(routes.replaceVariables, async ({ params, body, organizationId, ifMatch, clients, context }) =>
  resourceAnswer(
    await clients.agents.replaceVariables(
      { organizationId, agentId: params.agent_id, body: body.document(), ifMatch },
      context,
      { deadlineMs },
    ),
  ),
);
