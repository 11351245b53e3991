import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { pageOf } from '../../middleware/page-of';
import { numberRule } from '../../render/number';
import { route } from '../../route';

export default route(routes.listNumberRules, async ({ query, organizationId, clients, context }) => {
  const { numbers, nextCursor } = await clients.telephony.listNumberRules(
    { organizationId, page: pageOf(query) },
    context,
  );
  return pageAnswer(numbers.map(numberRule), nextCursor);
});
