import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

/** A save may compile and publish up to 32 languages. */
const saveDeadlineMs = 20_000;

export default route(routes.saveVoiceStack, async ({ params, body, organizationId, ifMatch, clients, context }) =>
  resourceAnswer(
    await clients.agents.saveVoiceStack(
      { organizationId, agentId: params.agent_id, body: body.document(), ifMatch },
      context,
      { deadlineMs: saveDeadlineMs },
    ),
  ),
);
