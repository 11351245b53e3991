import { requireOperator, tenantOf, type PublicCall } from '@parley/service';
import { getControls, setControls } from '../usecases/controls';
import { getPolicy, setPolicy } from '../usecases/policy';
import { createSuppressions, listSuppressionPage, removeSuppression } from '../usecases/suppressions';
import type { Telephony } from '../usecases/telephony';
import { getWallet, listLedgerPage, topUpWallet } from '../usecases/wallet';
import { namedOrganization, type Group } from './group';

type WalletRoutes =
  | 'getWallet'
  | 'topUpWallet'
  | 'listLedger'
  | 'getControls'
  | 'setControls'
  | 'getPolicy'
  | 'setPolicy'
  | 'createSuppressions'
  | 'listSuppressions'
  | 'removeSuppression';

/** What limits admission: the wallet, the limits, the organization's policy and its suppression list. */
export function walletHandlers(telephony: Telephony): Group<WalletRoutes> {
  return {
    getWallet: async (call) => ({ body: await getWallet(telephony, namedOrganization(call)) }),
    topUpWallet: (call) =>
      topUpWallet(telephony, call.creating(namedOrganization(call)), () => call.body(), call.context),
    listLedger: async (call) => ({ body: await listLedgerPage(telephony, namedOrganization(call), call.query) }),
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
      createSuppressions(telephony, call.creating(namedOrganization(call)), () => call.body(), call.context),
    listSuppressions: async (call) => ({
      body: await listSuppressionPage(telephony, namedOrganization(call), call.query),
    }),
    removeSuppression: async (call) => ({
      body: await removeSuppression(telephony, namedOrganization(call), call.body(), call.context),
    }),
  };
}

/** Of a route whose path names the organization. */
const organizationOfPath = ({ caller, params }: Pick<PublicCall, 'caller' | 'params'>): string =>
  tenantOf(caller, params['organization_id'] ?? '');
