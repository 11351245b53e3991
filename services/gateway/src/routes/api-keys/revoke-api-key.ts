import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { apiKeyRecord } from '../../render/api-key';
import { route } from '../../route';

export default route(routes.revokeApiKey, async ({ params, organizationId, clients, context }) =>
  jsonAnswer(apiKeyRecord(await clients.auth.revokeKey({ organizationId, keyId: params.key_id }, context))),
);
