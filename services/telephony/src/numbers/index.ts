/** Phone numbers, their ownership, and carrier accounts. */
export { openCarrierAccount, openAccount } from './carrier-account';
export {
  carrierPurpose,
  createCarrierCredential,
  getCarrierCredential,
  listCarrierCredentialPage,
} from './carrier-credentials';
export { listCarrierAccounts } from './carrier-credentials.sql';
export {
  type CarrierWebhook,
  type Signers,
  carrierOf,
  findMessageSigners,
  findSigners,
  speaksFor,
} from './carrier-webhook';
export { type HeldNumber, holderOfNumber } from './number-owner.cross-tenant.sql';
export {
  createNumber,
  listNumberPage,
  findNumberRecord,
  numberResult,
  releaseNumber,
  renderNumberRule,
  updateNumber,
} from './numbers';
export { findNumber, holdsNumber, linesOfProject } from './numbers.sql';
export { verifyNumber } from './verify-number';
