import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { organizationRecord } from '../../render/organization';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.reinstateOrganization, async ({ params, clients, context }) => {
  const request = { organizationId: params.organization_id };
  const { organization } = await clients.auth.reinstateOrganization(request, context);
  return jsonAnswer(organizationRecord(present(organization, 'organization')));
});
