/** Numbers, carriers and SIP trunks. */

// Carriers: their adapters, and the addresses of lines.
export type {
  CallStatusReport,
  CarrierCallEnd,
  DeliveryReport,
  IncomingMessage,
} from './carriers/carrier-reports.rules';
export type {
  CarrierAccount,
  CarrierLines,
  CarrierProtocol,
  Carriers,
  Network,
  LineVerbs,
  OrderOutcome,
  SendOutcome,
} from './carriers/carrier';
export {
  bringsKeys,
  keysUrlOf,
  nextUrlOf,
  referenceOf,
  statusUrlOf,
  streamUrlOf,
  takesLines,
  takesLinesOf,
  transferOf,
} from './carriers/line-addresses';
export { isMessageProvider, type MessageProvider } from './carriers/message-providers.rules';
export { carrierApiUrls, carriersOf } from './carriers/registry';
export { simulatedEnd } from './carriers/simulator/adapter';

// Phone numbers, their ownership, and carrier accounts.
export { accessOfLine, openCarrierAccount, openLineAccount, whyNoAccount } from './numbers/carrier-account';
export {
  carrierPurpose,
  createCarrierCredential,
  getCarrierCredential,
  listCarrierCredentialPage,
} from './numbers/carrier-credentials';
export {
  carrierOf,
  type CarrierWebhook,
  findMessageSigners,
  findSigners,
  holderOfNumber,
  type Signers,
  speaksFor,
} from './numbers/carrier-webhook';
export { type Caller, callerOf } from './numbers/caller.rules';
export type { HeldNumber } from './numbers/number.rules';
export {
  createNumber,
  findNumber,
  findNumberRecord,
  linesOfProject,
  listNumberPage,
  numberResult,
  releaseNumber,
  renderNumberRule,
  updateNumber,
} from './numbers/numbers';
export { verifyNumber } from './numbers/verify-number';

// SIP trunks of organizations, and calls over them.
export { reportOfEnd, reportOfState } from './sip-trunks/channel-report.rules';
export { identifyOf } from './sip-trunks/pjsip-objects.rules';
export { announcementFor, putObject, SipLines } from './sip-trunks/sip-lines';
export {
  createSipTrunk,
  deleteSipTrunk,
  getSipTrunk,
  listSipTrunkPage,
  trunkOfLine,
  updateSipTrunk,
} from './sip-trunks/sip-trunks';
export { trunkPurpose } from './sip-trunks/trunk-password';
