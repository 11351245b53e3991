export { parseVaultKeys, type Keyring } from './keyring';
export { createVault, type Sealed, type SealingContext, type Vault } from './vault';
export { type VaultFault } from './vault-error';
