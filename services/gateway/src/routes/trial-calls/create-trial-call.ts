import { routes } from '@parley/contract';
import { callAnswer } from '../../render/call';
import { route } from '../../route';

export default route(routes.createTrialCall, async ({ body, organizationId, idempotency, clients, context }) => {
  const { agent_id: agentId, outcome, project_id: projectId = '' } = body.fields();
  return callAnswer(
    await clients.telephony.createTrialCall({ organizationId, agentId, outcome, projectId, idempotency }, context),
  );
});
