import {
  createCarrierCredential,
  getCarrierCredential,
  listCarrierCredentialPage,
  createNumber,
  listNumberPage,
  findNumberRecord,
  numberResult,
  releaseNumber,
  renderNumberRule,
  updateNumber,
  verifyNumber,
  createSipTrunk,
  deleteSipTrunk,
  getSipTrunk,
  listSipTrunkPage,
  updateSipTrunk,
} from '../../network';
import { group, type WholeTelephony } from './group';

/** Routes for numbers, and for the carrier accounts and SIP trunks that serve them. */
export function numberHandlers(telephony: WholeTelephony) {
  const { db } = telephony;
  return group({
    createNumber(call) {
      const organizationId = call.organizationId;
      const input = { organizationId, request: call.creating(organizationId), body: () => call.body() };
      return createNumber(telephony, input, call.context);
    },
    listNumbers: async (call) => ({ body: await listNumberPage(db, call.namedOrganizationId, call.query) }),
    getNumber: async ({ organizationId, params }) =>
      numberResult(await findNumberRecord(telephony, organizationId, params.number_id)),
    updateNumber(call) {
      const { number_id: numberId } = call.params;
      const input = { organizationId: call.organizationId, numberId, body: () => call.body(), ifMatch: call.ifMatch };
      return updateNumber(telephony, input, call.context);
    },
    verifyNumber(call) {
      // Parsed only for validation: the body has no fields.
      call.body();
      const { number_id: numberId } = call.params;
      const byOperator = call.caller.kind === 'operator';
      return verifyNumber(telephony, { organizationId: call.organizationId, numberId, byOperator }, call.context);
    },
    releaseNumber(call) {
      const { number_id: numberId } = call.params;
      const input = { organizationId: call.organizationId, numberId, ifMatch: call.ifMatch };
      return releaseNumber(telephony, input, call.context);
    },
    listNumberRules: async (call) => ({
      body: await listNumberPage(db, call.namedOrganizationId, call.query, renderNumberRule),
    }),
    createSipTrunk: (call) =>
      createSipTrunk(telephony, call.creating(call.namedOrganizationId), () => call.body(), call.context),
    listSipTrunks: async (call) => ({
      body: await listSipTrunkPage(telephony, call.namedOrganizationId, call.query),
    }),
    getSipTrunk: (call) => getSipTrunk(telephony, call.organizationId, call.params.sip_trunk_id),
    updateSipTrunk(call) {
      const { sip_trunk_id: sipTrunkId } = call.params;
      const change = {
        organizationId: call.organizationId,
        sipTrunkId,
        ifMatch: call.ifMatch,
        body: () => call.body(),
      };
      return updateSipTrunk(telephony, change, call.context);
    },
    deleteSipTrunk(call) {
      const { sip_trunk_id: sipTrunkId } = call.params;
      const change = { organizationId: call.organizationId, sipTrunkId, ifMatch: call.ifMatch };
      return deleteSipTrunk(telephony, change, call.context);
    },
    createCarrierCredential: (call) =>
      createCarrierCredential(telephony, call.creating(call.namedOrganizationId), () => call.body(), call.context),
    getCarrierCredential: async ({ organizationId, params }) => ({
      body: await getCarrierCredential(telephony, organizationId, params.carrier_credential_id),
    }),
    listCarrierCredentials: async (call) => ({
      body: await listCarrierCredentialPage(telephony, call.namedOrganizationId, call.query),
    }),
  });
}
