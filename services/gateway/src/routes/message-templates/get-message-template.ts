import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getMessageTemplate, async ({ params, organizationId, clients, context }) =>
  resourceAnswer(await clients.agents.getMessageTemplate({ organizationId, templateId: params.template_id }, context)),
);
