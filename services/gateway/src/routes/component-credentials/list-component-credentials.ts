import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { pageOf } from '../../middleware/page-of';
import { componentCredentialRecord } from '../../render/component-credential';
import { route } from '../../route';

export default route(routes.listComponentCredentials, async ({ query, organizationId, clients, context }) => {
  const request = { organizationId: named(organizationId), page: pageOf(query) };
  const { componentCredentials, nextCursor } = await clients.auth.listComponentCredentials(request, context);
  return pageAnswer(componentCredentials.map(componentCredentialRecord), nextCursor);
});
