import { tenantOf, type PublicCall } from '@parley/service';
import { eraseCall, createErasure, getErasure, getRetention, setRetention } from '../../after';
import { callResult } from './calls';
import { group, type WholeTelephony } from './group';

/** Routes for the retention of personal data and its erasure. */
export function retentionHandlers(telephony: WholeTelephony) {
  return group({
    getRetention: (call) => getRetention(telephony, organizationOfPath(call)),
    setRetention: (call) =>
      setRetention(telephony, organizationOfPath(call), call.ifMatch, () => call.body(), call.context),
    eraseCall: async (call) =>
      callResult(await eraseCall(telephony, call.organizationId, call.params.call_id, call.context)),
    createErasure: (call) =>
      createErasure(telephony, call.creating(call.namedOrganizationId), () => call.body(), call.context),
    getErasure: async (call) => ({ body: await getErasure(telephony, call.organizationId, call.params.erasure_id) }),
  });
}

const organizationOfPath = ({ caller, params }: Pick<PublicCall, 'caller' | 'params'>): string =>
  tenantOf(caller, params['organization_id'] ?? '');
