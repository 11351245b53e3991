/**
 * Envelope encryption of stored secrets. `createVault(keys).seal(plain, context)` encrypts with AES-256-GCM under a data key, which a vault key wraps; `open`
 * decrypts. The context (organization, record) is authenticated, so that an encrypted value cannot be moved to another record. Do not store decrypted values.
 */
export { followingKeyring, isKeyring, parseVaultKeys, type Keyring } from './keyring';
export { createVault, type Sealed, type SealingContext, type Vault, type VaultErrorReason } from './vault';
