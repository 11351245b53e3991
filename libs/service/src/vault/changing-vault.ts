import { changingSecret } from '@parley/runtime';
import { createVault, followingKeyring, isKeyring, type Vault } from '@parley/vault';

/** The vault of a service by VAULT_KEYS: keys that are added to or taken out of VAULT_KEYS_FILE count within seconds, without a restart. */
export function changingVault(vaultKeys: string, options: Parameters<typeof changingSecret>[2] = {}): Vault {
  return createVault(followingKeyring(changingSecret('VAULT_KEYS', vaultKeys, { ...options, usable: isKeyring })));
}
