import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { numberRecord } from '../../render/number';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';

export default route(routes.listNumbers, async ({ query, organizationId, clients, context }) => {
  const request = { organizationId: named(organizationId), projectId: query.project_id ?? '', page: pageOf(query) };
  const { numbers, nextCursor } = await clients.telephony.listNumbers(request, context);
  return pageAnswer(numbers.map(numberRecord), nextCursor);
});
