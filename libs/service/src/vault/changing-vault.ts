import { changingSecret } from '@parley/runtime';
import { createVault, followingKeyring, isKeyring, type Vault } from '@parley/vault';

/** The vault of a service from VAULT_KEYS: keys added to or removed from VAULT_KEYS_FILE take effect within seconds, without a restart. */
export function changingVault(vaultKeys: string, options: Parameters<typeof changingSecret>[2] = {}): Vault {
  return createVault(followingKeyring(changingSecret('VAULT_KEYS', vaultKeys, { ...options, usable: isKeyring })));
}
