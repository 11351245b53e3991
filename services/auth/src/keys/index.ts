/** API keys, gateway tokens and platform credentials: minting, verifying and revoking them. */
export type { Dependencies } from './dependencies';
export { apiKeyView, gatewayTokenView, mintedApiKeyView, mintedGatewayTokenView } from './key-views.rules';
export { keyPruner } from './key-pruner';
export { lastUsed, type LastUsed } from './last-used';
export { listGatewayTokens } from './list-gateway-tokens';
export { createSession } from './create-session';
export { endSession } from './end-session';
export { getKey, getOwnKey } from './get-key';
export { listKeys, listOperatorKeys } from './list-keys';
export { mintGatewayToken } from './mint-gateway-token';
export { mintKey } from './mint-key';
export { mintPlatformKey, type PlatformKind } from './mint-platform-key';
export { holdMinter, namedOrganization } from './minter';
export { parsePeppers } from './peppers.rules';
export { revokeGatewayToken } from './revoke-gateway-token';
export { revokeKey } from './revoke-key';
export { verifyToken, verifyTokens, type VerifiedKey } from './verify-token';
