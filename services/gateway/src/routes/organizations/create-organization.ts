import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { organizationRecord } from '../../render/organization';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.createOrganization, async ({ body, idempotency: key, clients, context }) => {
  const { fields, idempotency } = body.creation(key);
  const { name = '', billing } = fields;
  const request = { name, billing: billing ?? 'unmetered', idempotency };
  const { organization, replayed } = await clients.auth.createOrganization(request, context);
  return jsonAnswer(organizationRecord(present(organization, 'organization')), { replayed });
});
