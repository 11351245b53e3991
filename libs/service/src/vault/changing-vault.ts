import { changingSecret } from '@parley/runtime';
import { createVault, followingKeyring, isKeyring, type Vault } from '@parley/vault';

/** A service's vault with the keys of VAULT_KEYS. Keys that are added to or removed from VAULT_KEYS_FILE take effect within seconds, without a restart. */
export function changingVault(vaultKeys: string, options: Parameters<typeof changingSecret>[2] = {}): Vault {
  return createVault(followingKeyring(changingSecret('VAULT_KEYS', vaultKeys, { ...options, usable: isKeyring })));
}
