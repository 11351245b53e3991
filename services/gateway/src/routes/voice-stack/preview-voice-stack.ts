import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

/** As a save, it may compile up to 32 languages. */
const deadlineMs = 20_000;

export default route(routes.previewVoiceStack, async ({ params, body, organizationId, clients, context }) => {
  const request = { organizationId, agentId: params.agent_id, body: body.document(), ifMatch: '' };
  return resourceAnswer(await clients.agents.previewVoiceStack(request, context, { deadlineMs }));
});
