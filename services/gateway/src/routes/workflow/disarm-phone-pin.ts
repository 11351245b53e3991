import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.disarmPhonePin, async ({ params, organizationId, clients, context }) =>
  resourceAnswer(await clients.agents.disarmPhonePin({ organizationId, agentId: params.agent_id }, context)),
);
