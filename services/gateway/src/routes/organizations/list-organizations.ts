import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { organizationRecord } from '../../render/organization';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';

export default route(routes.listOrganizations, async ({ query, clients, context }) => {
  const { organizations, nextCursor } = await clients.auth.listOrganizations({ page: pageOf(query) }, context);
  return pageAnswer(organizations.map(organizationRecord), nextCursor);
});
