import { routes } from '@parley/contract';
import { writtenAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.armPhonePin, async ({ params, body, organizationId, clients, context }) => {
  const request = { organizationId, agentId: params.agent_id, body: body.document(), ifMatch: '' };
  return writtenAnswer(await clients.agents.armPhonePin(request, context));
});
