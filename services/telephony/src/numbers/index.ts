/** Numbers, accounts at carriers, and whose they are. */
export { accountOf, openAccount } from './carrier-account';
export { carrierPurpose, createCarrierCredential, listCarrierCredentialPage } from './carrier-credentials';
export { listCarrierAccounts } from './carrier-credentials.sql';
export {
  type CarrierWebhook,
  type Signers,
  carrierOf,
  messageSignersOf,
  signersOf,
  speaksFor,
} from './carrier-webhook';
export { type HeldNumber, holderOfNumber } from './number-owner.cross-tenant.sql';
export {
  createNumber,
  listNumberPage,
  numberOf,
  numberResult,
  releaseNumber,
  renderNumberRule,
  updateNumber,
} from './numbers';
export { findNumber, holdsNumber, linesOfProject } from './numbers.sql';
export { verifyNumber } from './verify-number';
