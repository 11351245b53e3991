import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { apiKeyRecord } from '../../render/api-key';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';

export default route(routes.listApiKeys, async ({ query, organizationId, clients, context }) => {
  const request = { organizationId: named(organizationId), page: pageOf(query) };
  const { keys, nextCursor } = await clients.auth.listKeys(request, context);
  return pageAnswer(keys.map(apiKeyRecord), nextCursor);
});
