import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { apiKeyMinted } from '../../render/api-key';
import { route } from '../../route';

export default route(routes.mintApiKey, async ({ body, organizationId, idempotency: key, clients, context }) => {
  const { fields, idempotency } = body.creation(key);
  const { name = '', scopes = [], expires_at: expiresAt } = fields;
  const request = { organizationId, name, scopes, expiresAt: expiresAt ?? '', idempotency };
  const response = await clients.auth.mintKey(request, context);
  return jsonAnswer(apiKeyMinted(response), { replayed: response.replayed });
});
