import { requireOperator, tenantOf, type PublicCall } from '@parley/service';
import {
  getControls,
  setControls,
  confirmTopUp,
  listTopUpPage,
  topUpWallet,
  getWallet,
  listLedgerPage,
} from '../../books';
import { getPolicy, setPolicy, createSuppressions, listSuppressionPage, removeSuppression } from '../../policy';
import { group, type WholeTelephony } from './group';

/** Routes for everything that limits admission: the wallet, the limits, the organization's policy and its suppression list. */
export function walletHandlers(telephony: WholeTelephony) {
  return group({
    getWallet: async (call) => ({ body: await getWallet(telephony, call.namedOrganizationId) }),
    topUpWallet: (call) =>
      topUpWallet(telephony, call.creating(call.namedOrganizationId), () => call.body(), call.context),
    listTopUps: async (call) => ({ body: await listTopUpPage(telephony, call.namedOrganizationId, call.query) }),
    async confirmTopUp({ caller, organizationId, params, context }) {
      requireOperator(caller);
      return { body: await confirmTopUp(telephony, organizationId, params.top_up_id, context) };
    },
    listLedger: async (call) => ({ body: await listLedgerPage(telephony, call.namedOrganizationId, call.query) }),
    getControls: (call) => getControls(telephony, organizationOfPath(call)),
    setControls(call) {
      requireOperator(call.caller);
      return setControls(telephony, organizationOfPath(call), call.ifMatch, () => call.body(), call.context);
    },
    getPolicy: (call) => getPolicy(telephony, organizationOfPath(call)),
    setPolicy(call) {
      requireOperator(call.caller);
      return setPolicy(telephony, organizationOfPath(call), call.ifMatch, () => call.body(), call.context);
    },
    createSuppressions: (call) =>
      createSuppressions(telephony, call.creating(call.namedOrganizationId), () => call.body(), call.context),
    listSuppressions: async (call) => ({
      body: await listSuppressionPage(telephony, call.namedOrganizationId, call.query),
    }),
    removeSuppression: async (call) => ({
      body: await removeSuppression(telephony, call.namedOrganizationId, call.body(), call.context),
    }),
  });
}

/** The organization of a route whose path contains it. */
const organizationOfPath = ({ caller, params }: Pick<PublicCall, 'caller' | 'params'>): string =>
  tenantOf(caller, params['organization_id'] ?? '');
