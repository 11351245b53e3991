/** API keys, gateway tokens and platform credentials: minting, verification and revocation. */
export type { Dependencies } from './dependencies';
export { apiKeyView, gatewayTokenView, mintedApiKeyView, mintedGatewayTokenView } from './key-views.rules';
export { keyPruner, lastUsed, type LastUsed } from './last-used';
export {
  getGatewayToken,
  getKey,
  getOperatorKey,
  getOwnKey,
  listGatewayTokens,
  listKeys,
  listOperatorKeys,
} from './read-keys';
export { createSession, endSession } from './create-session';
export { mintGatewayToken } from './mint-gateway-token';
export { mintKey } from './mint-key';
export { mintPlatformKey, type PlatformKind } from './mint-platform-key';
export { lockIssuerKey, assertOrganizationExists } from './issuer';
export { changingPeppers } from './changing-peppers';
export { parsePeppers } from './peppers.rules';
export { revokeGatewayToken, revokeKey } from './revoke-key';
export { verifyToken, verifyTokens, type VerifiedKey } from './verify-token';
