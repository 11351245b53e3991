import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { numberRecord } from '../../render/number';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.updateNumber, async ({ params, body, organizationId, ifMatch, clients, context }) => {
  const { fields, refusal } = body.judged();
  const { inbound_agent_id: inboundAgentId, project_id: projectId = '' } = fields;
  const response = await clients.telephony.updateNumber(
    {
      organizationId,
      numberId: params.number_id,
      inboundAgentId: inboundAgentId ?? '',
      ifMatch,
      refusal,
      projectId,
    },
    context,
  );
  return jsonAnswer(numberRecord(present(response.number, 'number')), response);
});
