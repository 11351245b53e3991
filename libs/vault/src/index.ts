/**
 * Envelope encryption of stored secrets: `createVault(keys).seal(plain, context)` and `open`, with AES-256-GCM under a data key that a named vault key wraps. The
 * context (organization, record) is authenticated, so that a sealed value cannot be moved to another record. Avoid storing what was opened.
 */
export { followingKeyring, isKeyring, parseVaultKeys, type Keyring } from './keyring';
export { createVault, type Sealed, type SealingContext, type Vault } from './vault';
export { type VaultErrorReason } from './vault-error';
