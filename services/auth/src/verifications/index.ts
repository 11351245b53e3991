/** Checks of the identity of organizations, by the operator's provider. */
export { parseProviderSecrets, verificationProvider } from './verification-provider';
export { putVerificationDocument } from './put-verification-document';
export { verificationView } from './verification.rules';
export { createVerification, listVerifications, readVerification, type VerificationParts } from './verifications';
