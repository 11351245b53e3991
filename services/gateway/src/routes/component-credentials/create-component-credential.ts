import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { componentCredentialRecord } from '../../render/component-credential';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(
  routes.createComponentCredential,
  async ({ body, organizationId, idempotency, clients, context }) => {
    const { kind, provider, name, secret } = body.fields();
    const request = { organizationId, kind, provider, name, secret, idempotency };
    const { componentCredential, replayed } = await clients.auth.createComponentCredential(request, context);
    return jsonAnswer(componentCredentialRecord(present(componentCredential, 'component credential')), { replayed });
  },
);
