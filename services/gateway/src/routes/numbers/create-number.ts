import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { numberRecord } from '../../render/number';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.createNumber, async ({ body, organizationId, idempotency: key, clients, context }) => {
  const { fields, idempotency } = body.creation(key);
  const response = await clients.telephony.createNumber(
    {
      organizationId,
      projectId: fields.project_id ?? '',
      phoneNumber: fields.phone_number ?? '',
      provider: fields.provider ?? '',
      inboundAgentId: fields.inbound_agent_id ?? '',
      idempotency,
    },
    context,
  );
  return jsonAnswer(numberRecord(present(response.number, 'number')), response);
});
