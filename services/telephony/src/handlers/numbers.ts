import { createCarrierCredential, listCarrierCredentialPage } from '../usecases/carrier-credentials';
import { createNumber, listNumberPage, renderNumberRule, updateNumber } from '../usecases/numbers';
import type { Telephony } from '../usecases/telephony';
import { namedOrganization, ownOrganization, type Group } from './group';

type NumberRoutes =
  | 'createNumber'
  | 'listNumbers'
  | 'updateNumber'
  | 'listNumberRules'
  | 'createCarrierCredential'
  | 'listCarrierCredentials';

/** Numbers, and the accounts at the carriers that serve them. */
export function numberHandlers(telephony: Telephony): Group<NumberRoutes> {
  const { db } = telephony;
  return {
    createNumber(call) {
      const organizationId = ownOrganization(call);
      const input = { organizationId, request: call.creating(organizationId), body: () => call.body() };
      return createNumber(telephony, input, call.context);
    },
    listNumbers: async (call) => ({ body: await listNumberPage(db, namedOrganization(call), call.query) }),
    updateNumber(call) {
      const { number_id: numberId } = call.params;
      const input = { organizationId: ownOrganization(call), numberId, body: () => call.body(), ifMatch: call.ifMatch };
      return updateNumber(telephony, input, call.context);
    },
    listNumberRules: async (call) => ({
      body: await listNumberPage(db, call.namedOrganizationId, call.query, renderNumberRule),
    }),
    createCarrierCredential: (call) =>
      createCarrierCredential(telephony, call.creating(namedOrganization(call)), () => call.body(), call.context),
    listCarrierCredentials: async (call) => ({
      body: await listCarrierCredentialPage(telephony, namedOrganization(call), call.query),
    }),
  };
}
