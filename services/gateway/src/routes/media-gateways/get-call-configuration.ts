import { routes } from '@parley/contract';
import { embedding } from '../../render/embedding';
import { route } from '../../route';

export default route(routes.getCallConfiguration, async ({ params, organizationId, clients, context }) => {
  const request = { organizationId, callId: params.call_id };
  const { call, runtimeConfiguration } = await clients.telephony.getCallConfiguration(request, context);
  return embedding({}, { call, runtime_configuration: runtimeConfiguration });
});
