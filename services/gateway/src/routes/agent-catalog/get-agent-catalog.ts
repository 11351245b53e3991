import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getAgentCatalogue, async ({ clients, context }) =>
  documentAnswer((await clients.voiceStack.getCatalogue({}, context)).catalogue),
);
