import { routes } from '@parley/contract';
import { writtenAnswer } from '../../answer';
import { route } from '../../route';

export default route(
  routes.updateMessageTemplate,
  async ({ params, body, organizationId, ifMatch, clients, context }) => {
    const request = { organizationId, templateId: params.template_id, body: body.document(), ifMatch };
    return writtenAnswer(await clients.agents.updateMessageTemplate(request, context));
  },
);
