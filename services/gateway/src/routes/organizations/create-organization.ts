import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { organizationRecord } from '../../render/organization';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.createOrganization, async ({ body, idempotency, clients, context }) => {
  const { name, billing } = body.fields();
  const request = { name, billing: billing ?? 'unmetered', idempotency };
  const { organization, replayed } = await clients.auth.createOrganization(request, context);
  return jsonAnswer(organizationRecord(present(organization, 'organization')), { replayed });
});
